"""How readers turn numbered rows into records; a row that cannot be used becomes a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from askagain.errors import SourceError
from askagain.sources.base import Skipped

T = TypeVar("T")
R = TypeVar("R")

# A line number (1-based) and what stands there.
Row = tuple[int, T]


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
