"""Per-query results on disk, as JSON Lines: a header, then one line per query.

The header names what was run (`set`, `split`, `fields`, `system`, `settings`, `seed`, `data_hash`).
A query's line has `id`, `title`, `metrics` (in percent), `top` (the ten best, with titles and scores)
and `relevant` (with titles).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from askagain.errors import BenchmarkError
from askagain.evaluation.metrics import Judged, Metric
from askagain.evaluation.protocols import Ranking, Run
from askagain.question import Question

FORMAT = "askagain per-query results 1"
TOP = 10

T = TypeVar("T")


@dataclass(frozen=True)
class Header:
    """What a file of per-query results is about."""

    set: str
    split: str
    fields: list[str]
    system: str
    settings: dict[str, Any]
    seed: int
    data_hash: str
    format: str = FORMAT


@dataclass(frozen=True)
class Listed:
    """A question in a query's results; `score` is None where it is listed as relevant."""

    id: str
    title: str
    score: float | None = None


@dataclass(frozen=True)
class SavedQuery:
    """One query's results."""

    id: str
    title: str
    metrics: dict[str, float]
    top: list[Listed]
    relevant: list[Listed]


@dataclass(frozen=True)
class SavedResults:
    """A file of per-query results; `queries` by their ids, in the benchmark's order."""

    header: Header
    queries: dict[str, SavedQuery]


def save_results(run: Run, path: Path, *, settings: Mapping[str, Any], seed: int = 0) -> None:
    """Writes the per-query results of a run."""
    benchmark = run.benchmark
    rankings = run.rankings()
    figures = _figures_per_query(benchmark.metrics, [ranking.judged for ranking in rankings])
    header = Header(
        set=benchmark.name,
        split=benchmark.split,
        fields=list(benchmark.fields),
        system=run.system,
        settings=dict(settings),
        seed=seed,
        data_hash=benchmark.data_hash,
    )
    queries = [
        _saved(ranking, metrics, benchmark.by_id) for ranking, metrics in zip(rankings, figures, strict=True)
    ]
    entries: list[Header | SavedQuery] = [header, *queries]
    lines = [json.dumps(asdict(entry)) + "\n" for entry in entries]
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written: {error.strerror}") from error


def load_results(path: Path) -> SavedResults:
    """Reads what `save_results` wrote."""
    header: Header | None = None
    queries: dict[str, SavedQuery] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                row = _parse(line, f"{path}:{number}")
                if header is None:
                    header = _header(row)
                else:
                    query = _query(row)
                    queries[query.id] = query
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: not a text file in UTF-8; expected per-query results") from error
    if header is None or not queries:
        raise BenchmarkError(
            f"{path}: no queries in it; write per-query results with `askagain evaluate … --save FILE`"
        )
    return SavedResults(header, queries)


class _Row:
    """An object of the file, whose values are asked for by name and type."""

    def __init__(self, values: object, place: str) -> None:
        if not isinstance(values, dict):
            raise BenchmarkError(
                f"{place}: not per-query results: expected an object, found {str(values)[:40]!r}"
            )
        self.values, self.place = values, place

    def get(self, key: str, kind: type[T]) -> T:
        value = self.values.get(key)
        if not isinstance(value, kind):
            raise BenchmarkError(
                f"{self.place}: not per-query results: {key!r} is missing or not a {kind.__name__}"
            )
        return value

    def rows(self, key: str) -> list[_Row]:
        return [_Row(value, self.place) for value in self.get(key, list)]

    def figures(self, key: str) -> dict[str, float]:
        row = _Row(self.get(key, dict), self.place)
        return {name: row.get(name, float) for name in row.values}


def _parse(line: str, place: str) -> _Row:
    try:
        return _Row(json.loads(line), place)
    except (ValueError, RecursionError) as error:
        raise BenchmarkError(f"{place}: not per-query results: the line is not JSON") from error


def _header(row: _Row) -> Header:
    if row.get("format", str) != FORMAT:
        raise BenchmarkError(f"{row.place}: format {row.values['format'][:40]!r}; expected {FORMAT!r}")
    return Header(
        set=row.get("set", str),
        split=row.get("split", str),
        fields=[str(field) for field in row.get("fields", list)],
        system=row.get("system", str),
        settings=row.get("settings", dict),
        seed=row.get("seed", int),
        data_hash=row.get("data_hash", str),
    )


def _query(row: _Row) -> SavedQuery:
    return SavedQuery(
        id=row.get("id", str),
        title=row.get("title", str),
        metrics=row.figures("metrics"),
        top=[Listed(r.get("id", str), r.get("title", str), r.get("score", float)) for r in row.rows("top")],
        relevant=[Listed(r.get("id", str), r.get("title", str)) for r in row.rows("relevant")],
    )


def _figures_per_query(metrics: tuple[Metric, ...], queries: list[Judged]) -> list[dict[str, float]]:
    columns = {metric.name: 100 * metric.per_query(metric.rows(queries)) for metric in metrics}
    return [{name: float(column[i]) for name, column in columns.items()} for i in range(len(queries))]


def _saved(ranking: Ranking, metrics: dict[str, float], questions: Mapping[str, Question]) -> SavedQuery:
    return SavedQuery(
        id=ranking.query.id,
        title=ranking.query.title,
        metrics=metrics,
        top=[Listed(m.id, questions[m.id].title, float(m.score)) for m in ranking.found[:TOP]],
        relevant=[Listed(id_, questions[id_].title) for id_ in sorted(ranking.relevant)],
    )
