"""Records of a CSV or TSV file, in which one stray quote costs one row and not the rest of the file."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from askagain.sources.base import Progress, Skipped
from askagain.sources.files import MAX_LINE_BYTES, text_lines
from askagain.sources.rows import Row

MAX_RECORD_LINES = 2000

# The standard limit of 131,072 characters is below the size of real posts.
csv.field_size_limit(MAX_LINE_BYTES)


class CsvRecords:
    """Numbered rows of cells, all as wide as the first; blank lines are left out."""

    def __init__(self, path: Path, delimiter: str, progress: Progress) -> None:
        self._path = path
        self._delimiter = delimiter
        self._lines = text_lines(path, progress)
        self._to_be_read_again: deque[Row[str] | Skipped] = deque()
        self._width = 0
        self._given_up_until = 0

    def __iter__(self) -> Iterator[Row[list[str]] | Skipped]:
        while (line := self._next_line()) is not None:
            if isinstance(line, Skipped):
                yield line
            elif line[1].strip():
                yield self._record_from(line)

    def _next_line(self) -> Row[str] | Skipped | None:
        if self._to_be_read_again:
            return self._to_be_read_again.popleft()
        return next(self._lines, None)

    def _record_from(self, first: Row[str]) -> Row[list[str]] | Skipped:
        taken: list[Row[str] | Skipped] = []
        try:
            cells = next(csv.reader(self._feed(first, taken), delimiter=self._delimiter, strict=True))
        except csv.Error as error:
            return self._given_up(first, taken, f"broken quoting: {error}")
        self._width = self._width or len(cells)
        if len(cells) != self._width:
            return self._given_up(first, taken, f"{len(cells)} columns where the header has {self._width}")
        return first[0], cells

    def _feed(self, first: Row[str], taken: list[Row[str] | Skipped]) -> Iterator[str]:
        """The first line, then as many more as an open quote asks for, up to the limits.

        But no more where a quote of an earlier line was open in vain: else each of thousands of lines could
        ask for the same thousands. Hardly any good row is lost, as its quotes would have ended that search.
        """
        number, text = first
        yield text + "\n"
        if number < self._given_up_until:
            return
        size = len(text)
        while size <= MAX_LINE_BYTES and len(taken) < MAX_RECORD_LINES:
            line = self._next_line()
            if line is None:
                return
            taken.append(line)
            if isinstance(line, Skipped):
                return
            size += len(line[1])
            yield line[1] + "\n"

    def _given_up(
        self, first: Row[str], taken: list[Row[str] | Skipped], reason: str
    ) -> Row[list[str]] | Skipped:
        """Goes on at the line after the first. Many programs write TSV without any quoting: try that."""
        self._to_be_read_again.extendleft(reversed(taken))
        if taken:
            self._given_up_until = _number(taken[-1])
        number, text = first
        literal = text.split("\t")
        if self._delimiter == "\t" and len(literal) == self._width:
            return number, literal
        return Skipped(self._path, number, reason)


def _number(line: Row[str] | Skipped) -> int:
    return line.line if isinstance(line, Skipped) else line[0]
