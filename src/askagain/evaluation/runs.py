"""Run files: a system's output in the formats that other tools score.

Lists (SemEval-2016/2017 Task 3): one line per pair in the gold file's order, five columns
`orgq_id  relq_id  rank  score  true|false`, separated by tabs. Only score and label are scored; the rank
of real submissions is often 0. A gold file has the same columns, with the right label.

Retrieval (TREC): one line per match, best first, six columns `query_id Q0 question_id rank score system`,
separated by blanks. Note that trec_eval orders by score and breaks ties by id, not by rank.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from askagain.errors import BenchmarkError
from askagain.evaluation.metrics import SEMEVAL_METRICS, Judged, all_rows
from askagain.evaluation.protocols import RerankingRun, RetrievalRun, Run, best_first

_LABELS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class RunLine:
    """One pair of a run or gold file."""

    query: str
    candidate: str
    rank: int
    score: float
    label: bool


def read_run(path: Path) -> list[RunLine]:
    """The lines of a run or gold file; columns may be separated by any blanks, as in real submissions."""
    lines: dict[tuple[str, str], RunLine] = {}
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, start=1):
                line = _parse_line(text, f"{path}:{number}")
                if (line.query, line.candidate) in lines:
                    raise BenchmarkError(
                        f"{path}:{number}: the pair {line.query} {line.candidate} came before"
                    )
                lines[line.query, line.candidate] = line
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BenchmarkError(
            f"{path}: not a text file in UTF-8; expected a run file with five columns"
        ) from error
    if not lines:
        raise BenchmarkError(f"{path}: empty; expected a run file with five columns")
    return list(lines.values())


def score_run(run_path: Path, gold_path: Path) -> dict[str, float]:
    """The seven official figures of a run file, in percent.

    Pairs are matched by their ids; candidates with the same score keep the gold file's order.
    """
    run = {(line.query, line.candidate): line for line in read_run(run_path)}
    gold: dict[str, list[RunLine]] = {}
    for line in read_run(gold_path):
        if (line.query, line.candidate) not in run:
            raise BenchmarkError(
                f"{run_path}: the pair {line.query} {line.candidate} of {gold_path} is missing"
            )
        gold.setdefault(line.query, []).append(line)
    _check_nothing_else(run_path, gold_path, run, gold)
    queries = [_judged(lines, [run[line.query, line.candidate] for line in lines]) for lines in gold.values()]
    rows = all_rows(SEMEVAL_METRICS, queries)
    return {metric.name: 100 * metric.value(rows[metric.name]) for metric in SEMEVAL_METRICS}


def write_run(run: Run, path: Path) -> None:
    """Writes a run in the format of its setting."""
    rows = _list_rows(run) if isinstance(run, RerankingRun) else _trec_rows(run)
    separator = "\t" if isinstance(run, RerankingRun) else " "
    lines = []
    for row in rows:
        for value in row:
            if value.split() != [value]:
                raise BenchmarkError(
                    f"{path}: {value!r} cannot stand in a run file: it is empty or has blanks in it"
                )
        lines.append(separator.join(row) + "\n")
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written: {error.strerror}") from error


def _parse_line(text: str, place: str) -> RunLine:
    columns = text.split()
    if len(columns) != 5:
        raise BenchmarkError(
            f"{place}: {len(columns)} columns; expected 5: orgq_id, relq_id, rank, score, true or false"
        )
    query, candidate, rank, score, label = columns
    if label not in _LABELS:
        raise BenchmarkError(f"{place}: label {label[:40]!r}; expected true or false")
    return RunLine(query, candidate, _rank(rank, place), _score(score, place), _LABELS[label])


def _rank(text: str, place: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise BenchmarkError(f"{place}: rank {text[:40]!r}; expected a whole number") from error


def _score(text: str, place: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise BenchmarkError(f"{place}: score {text[:40]!r}; expected a finite number")
    return score


def _check_nothing_else(
    run_path: Path, gold_path: Path, run: dict[tuple[str, str], RunLine], gold: dict[str, list[RunLine]]
) -> None:
    known = {(line.query, line.candidate) for lines in gold.values() for line in lines}
    for query, candidate in run:
        if (query, candidate) not in known:
            raise BenchmarkError(f"{run_path}: the pair {query} {candidate} is not in {gold_path}")


def _judged(gold: list[RunLine], run: list[RunLine]) -> Judged:
    order = best_first([line.score for line in run])
    hits = np.array([gold[position].label for position in order])
    return Judged(hits, int(hits.sum()), np.array([run[position].label for position in order]))


def _list_rows(run: RerankingRun) -> Iterator[tuple[str, ...]]:
    for list_, scores, labels in zip(run.benchmark.lists, run.scores, run.labels, strict=True):
        ranks = {position: rank for rank, position in enumerate(best_first(scores), start=1)}
        for position, entry in enumerate(list_.candidates):
            label = "true" if labels[position] else "false"
            yield (
                list_.query.id,
                entry.question.id,
                str(ranks[position]),
                repr(float(scores[position])),
                label,
            )


def _trec_rows(run: RetrievalRun) -> Iterator[tuple[str, ...]]:
    for query, matches in zip(run.benchmark.queries, run.matches, strict=True):
        for rank, match in enumerate(matches, start=1):
            yield query.id, "Q0", match.id, str(rank), repr(float(match.score)), run.system
