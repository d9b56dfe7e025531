"""How readers turn numbered rows into records; a row that cannot be used becomes a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple, TypeVar

from askagain.errors import SourceError
from askagain.sources.base import Skipped

T = TypeVar("T")
R = TypeVar("R")

# A line number (1-based) and what stands there.
Row = tuple[int, T]


class Place(NamedTuple):
    """A file and a line (1-based; 0 = unknown)."""

    path: Path
    line: int


# Questions and marks do not know their line. Whoever reads a source can ask for it, record by record.
_LAST_PLACE: ContextVar[Place] = ContextVar("last place")


def last_place() -> Place:
    """Where the record stands that was read last, in this thread."""
    return _LAST_PLACE.get()


def note_place(path: Path, line: int) -> None:
    """Say where the next record stands."""
    _LAST_PLACE.set(Place(path, line))


class RowError(Exception):
    """Why one row cannot be used; becomes the reason of a Skipped."""


def convert_rows(
    rows: Iterable[Row[T] | Skipped], path: Path, convert: Callable[[T], Iterable[R]]
) -> Iterator[R | Skipped]:
    """What `convert` makes of each row; its RowError is reported, after whatever it gave before."""
    for row in rows:
        if isinstance(row, Skipped):
            yield row
            continue
        number, content = row
        note_place(path, number)
        try:
            yield from convert(content)
        except RowError as error:
            yield Skipped(path, number, str(error))


def all_or_error(items: Iterable[T | Skipped]) -> Iterator[T]:
    """The items of a file in which every row counts, such as a benchmark; a bad row is an error."""
    for item in items:
        if isinstance(item, Skipped):
            raise SourceError(f"{item.path}, line {item.line}: {item.reason}; get a fresh copy of the file")
        yield item
