"""Compares two files of per-query results: the queries that changed most, with their texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from askagain.errors import BenchmarkError
from askagain.evaluation.rendering import plain
from askagain.evaluation.saved import Header, Listed, SavedQuery, SavedResults

SHOWN = 3
_TITLE_WIDTH = 100


@dataclass(frozen=True)
class Change:
    """One query's results under both systems; `difference` is second minus first, in percent points."""

    first: SavedQuery
    second: SavedQuery
    metric: str

    @property
    def difference(self) -> float:
        """How much better the second system is on this query."""
        return self.second.metrics[self.metric] - self.first.metrics[self.metric]


@dataclass(frozen=True)
class Comparison:
    """The queries that changed most, and how many got better, worse or stayed."""

    first: Header
    second: Header
    metric: str
    better: int
    worse: int
    same: int
    changes: tuple[Change, ...]

    def to_json(self) -> dict[str, object]:
        """One object of plain values, ready for `json.dumps`."""
        return {
            "set": self.first.set,
            "split": self.first.split,
            "metric": self.metric,
            "systems": [self.first.system, self.second.system],
            "better": self.better,
            "worse": self.worse,
            "same": self.same,
            "changes": [_change_json(change) for change in self.changes],
        }

    def to_text(self) -> str:
        """A text for the terminal: each query, what both systems found, and what was right."""
        return "\n".join(map(plain, self._lines())) + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"{self.first.set}, split {self.first.split}"
        yield f"A = {_label(self.first)}, B = {_label(self.second)}"
        yield f"{self.metric}: B better on {self.better} queries, worse on {self.worse}, same on {self.same}"
        for change in self.changes:
            yield ""
            yield from _change_lines(change)


def compare(
    first: SavedResults, second: SavedResults, metric: str | None = None, limit: int = 10
) -> Comparison:
    """The `limit` queries whose metric changed most; the default metric is the first that both files have."""
    _check_same_benchmark(first, second)
    metric = _checked_metric(first, second, metric)
    changes = [Change(query, second.queries[id_], metric) for id_, query in first.queries.items()]
    better = sum(change.difference > 0 for change in changes)
    worse = sum(change.difference < 0 for change in changes)
    changed = [change for change in changes if change.difference != 0]
    largest = sorted(changed, key=lambda change: -abs(change.difference))[:limit]
    same = len(changes) - len(changed)
    return Comparison(first.header, second.header, metric, better, worse, same, tuple(largest))


def _check_same_benchmark(first: SavedResults, second: SavedResults) -> None:
    a, b = first.header, second.header
    if (a.set, a.split) != (b.set, b.split):
        raise BenchmarkError(
            f"the results are of {a.set} ({a.split}) and {b.set} ({b.split}); compare two of one split"
        )
    same_content = a.fields != b.fields or a.data_hash == b.data_hash
    if not same_content or first.queries.keys() != second.queries.keys():
        raise BenchmarkError(
            f"the results are of two different versions of {a.set} ({a.split}); run both again"
        )


def _checked_metric(first: SavedResults, second: SavedResults, metric: str | None) -> str:
    queries = [*first.queries.values(), *second.queries.values()]
    available = [name for name in queries[0].metrics if all(name in query.metrics for query in queries)]
    chosen = metric or next(iter(available), "")
    if chosen not in available:
        raise BenchmarkError(f"no metric {chosen!r} in both results; available: {', '.join(available)}")
    return chosen


def _label(header: Header) -> str:
    return f"{header.system} ({'+'.join(header.fields)})"


def _change_json(change: Change) -> dict[str, object]:
    return {
        "id": change.first.id,
        "title": change.first.title,
        "difference": change.difference,
        "values": [query.metrics[change.metric] for query in (change.first, change.second)],
        "top": [[asdict(listed) for listed in query.top] for query in (change.first, change.second)],
        "relevant": [{"id": listed.id, "title": listed.title} for listed in change.first.relevant],
    }


def _change_lines(change: Change) -> Iterator[str]:
    before, after = (query.metrics[change.metric] for query in (change.first, change.second))
    yield f"{change.difference:+.1f}  ({before:.1f} → {after:.1f})  {_text(change.first)}"
    relevant = {listed.id for listed in change.first.relevant}
    for name, query in (("A found", change.first), ("B found", change.second)):
        for position, listed in enumerate(query.top[:SHOWN], start=1):
            tick = "✓" if listed.id in relevant else " "
            yield f"    {name} {position} {tick} {_text(listed)}"
    for listed in change.first.relevant[:SHOWN]:
        yield f"    relevant   ✓ {_text(listed)}"


def _text(question: SavedQuery | Listed) -> str:
    title = question.title[:_TITLE_WIDTH] + ("…" if len(question.title) > _TITLE_WIDTH else "")
    return f"{question.id}  {title}".rstrip()
