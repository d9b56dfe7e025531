"""`askagain export`: an archive as JSON Lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from askagain.archive import Archive
from askagain.cli.files import written_whole
from askagain.cli.options import ArchivePath
from askagain.cli.output import remark
from askagain.cli.progress import NamedProgress, shown_progress
from askagain.errors import OutputError
from askagain.question import Mark, Question
from askagain.sources.jsonl import dump_record
from askagain.wording import counted

# JSON escapes all control characters but these, and some terminals obey them.
_LATE_CONTROLS = re.compile("[\x7f-\x9f]")


def export(
    archive: ArchivePath,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write to this file, gzipped if it ends in .gz; else print."),
    ] = None,
    questions: Annotated[bool, typer.Option("--questions", help="Questions only.")] = False,
    marks: Annotated[bool, typer.Option("--marks", help="Marks only.")] = False,
) -> None:
    """Write the archive's questions and marks as JSON Lines, which "import" reads again.

    Example: `askagain export --archive forum.db --out forum.jsonl.gz`
    """
    with Archive.open(archive, create=False) as opened, shown_progress() as progress:
        records = _records(opened, questions or not marks, marks or not questions, progress)
        lines = (_line(record) for record in records)
        if out is None:
            sys.stdout.buffer.writelines(lines)
        else:
            _write(lines, out, archive)


def _records(
    archive: Archive, questions: bool, marks: bool, progress: NamedProgress
) -> Iterator[Question | Mark]:
    if questions:
        total = len(archive)
        for done, question in enumerate(archive.questions(), start=1):
            yield question
            progress("questions", done, total)
    if marks:
        for done, mark in enumerate(archive.marks(), start=1):
            yield mark
            progress("marks", done, 0)


def _line(record: Question | Mark) -> bytes:
    escaped = _LATE_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", dump_record(record))
    return escaped.encode() + b"\n"


def _write(lines: Iterator[bytes], out: Path, archive: Path) -> None:
    if out.exists() and out.samefile(archive):
        raise OutputError(f"cannot write {out}: it is the archive itself; choose another name")
    written = 0
    with written_whole(out) as file:
        for line in lines:
            file.write(line)
            written += 1
    remark(f"{counted(written, 'line')} written to {out}")
