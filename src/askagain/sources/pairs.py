"""Headerless files of question pairs: two ids per line, separated by a tab."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from askagain.question import Mark, Verdict
from askagain.sources.base import Progress, Record, no_progress
from askagain.sources.fields import checked_mark
from askagain.sources.files import text_lines
from askagain.sources.rows import RowError, convert_rows

_LINE_OF_TWO_IDS = re.compile(rb"^\S+\t\S+\r?$", re.MULTILINE)
_NAMES_OF_EMPTY_FILES = ("duplicates", "non_duplicates")


class PairsSource:
    """`duplicates*.tsv`, and not-duplicates where the file's name contains `non_duplicates`."""

    name = "pairs"

    def recognises(self, path: Path, head: bytes) -> bool:
        """Mostly lines of two ids, or an empty file with one of the usual names."""
        if not head:
            return path.name.startswith(_NAMES_OF_EMPTY_FILES)
        lines = head.count(b"\n") + 1
        return 2 * len(_LINE_OF_TWO_IDS.findall(head)) >= lines

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """A mark for every line."""
        is_negative = "non_duplicates" in path.name
        verdict = Verdict.NOT_DUPLICATE if is_negative else Verdict.DUPLICATE
        return convert_rows(text_lines(path, progress), path, lambda line: _marks_of_line(line, verdict))


def _marks_of_line(line: str, verdict: Verdict) -> Iterator[Mark]:
    if not line.strip():
        return
    ids = line.split("\t")
    if len(ids) != 2:
        raise RowError(f"{len(ids)} columns where two ids are expected")
    yield checked_mark(Mark(ids[0].strip(), ids[1].strip(), verdict))
