"""`askagain import`: files of any known format into an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from askagain.archive import Archive
from askagain.cli.files import check_writable
from askagain.cli.options import ArchivePath, AsJson
from askagain.cli.output import console, print_json, text
from askagain.cli.progress import NamedProgress, shown_progress
from askagain.errors import SourceError
from askagain.evaluation.rendering import plain
from askagain.sources.base import Skipped, Source
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.importing import ImportReport

SHOWN_EXAMPLES: Final = 5

OnSkip = Callable[[Skipped], None]


@dataclass(frozen=True, slots=True)
class Input:
    """A file to be imported, and the reader for it."""

    path: Path
    source: Source


@dataclass(frozen=True, slots=True)
class Imported:
    """A file that was imported, and what came of it."""

    input: Input
    report: ImportReport


def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Files, Stack Exchange dumps, or folders of a question set."),
    ],
    archive: ArchivePath,
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="The format, where it is not recognised by itself."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write every skipped row and its reason.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Read questions and duplicate marks into an archive.

    Formats are recognised: JSON Lines, CSV and TSV with a header line, Stack Exchange dumps (Posts.xml or
    .7z), SemEval, Quora and AskUbuntu files, and pairs of ids (duplicates.tsv, non_duplicates.tsv). Files may
    be gzipped. A row that cannot be used is skipped and reported. Import a newer copy of your forum into the
    same archive at any time: only what has changed is written.

    Example: `askagain import questions.jsonl duplicates.tsv --archive forum.db`
    """
    inputs = find_inputs(files, format)
    with _skipped_rows(report) as on_skip, Archive.open(archive) as opened, shown_progress() as progress:
        done = [_import(opened, input, on_skip, progress) for input in inputs]
        questions = len(opened)
    if json:
        print_json({"archive": str(archive), "questions": questions, "files": [_file_json(i) for i in done]})
    else:
        _print_counts(done)
        _print_skipped(done, everything_in=report)
        console().print(text(f"{archive} now has {counted(questions, 'question')}."), soft_wrap=True)
    _check_anything_was_read(done)


def find_inputs(paths: Iterable[Path], format: str | None) -> list[Input]:
    """The files behind the paths, those with nothing but marks last: marks need their questions."""
    from askagain.sources.detect import detect, source_named

    files = [file for path in paths for file in _files_of(path)]
    inputs = [Input(file, source_named(format) if format else detect(file)) for file in files]
    return sorted(inputs, key=lambda input: input.source.name == "pairs")


def _files_of(path: Path) -> list[Path]:
    """The questions and marks of a folder that is a question set; any other path as it is."""
    questions = sorted(path.glob("questions.jsonl*")) if path.is_dir() else []
    if not questions:
        return [path]
    return [*questions, *sorted(path.glob("duplicates*.tsv")), *sorted(path.glob("non_duplicates*.tsv"))]


def _import(archive: Archive, input: Input, on_skip: OnSkip, progress: NamedProgress) -> Imported:
    from askagain.importing import import_file

    shown = partial(progress, input.path.name)
    return Imported(input, import_file(archive, input.path, input.source, progress=shown, on_skip=on_skip))


@contextmanager
def _skipped_rows(path: Path | None) -> Iterator[OnSkip]:
    """Takes skipped rows, and writes them to the report if there is one."""
    if path is None:
        yield lambda skipped: None
        return
    check_writable(path)
    with path.open("w", encoding="utf-8", errors="replace") as file:
        yield lambda skipped: print(_place_and_reason(skipped), file=file)


def _place_and_reason(skipped: Skipped) -> str:
    place = f"{skipped.path}:{skipped.line}" if skipped.line else f"{skipped.path}"
    return plain(f"{place}: {skipped.reason}")


def _file_json(imported: Imported) -> dict[str, object]:
    report = imported.report
    return {
        "file": str(imported.input.path),
        "format": imported.input.source.name,
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "marks": report.marks,
        "skipped": report.skipped,
        "reasons": dict(report.reasons.most_common()),
        "examples": [{"file": str(s.path), "line": s.line, "reason": s.reason} for s in report.examples],
    }


def _print_counts(done: list[Imported]) -> None:
    from rich.table import Table

    table = Table("file", "format", box=None, pad_edge=False)
    for name in ("added", "changed", "unchanged", "marks", "skipped"):
        table.add_column(name, justify="right")
    for imported in done:
        input, report = imported.input, imported.report
        counts = (report.added, report.changed, report.unchanged, report.marks, report.skipped)
        table.add_row(text(input.path.name), input.source.name, *(f"{count:,}" for count in counts))
    console().print(table)


def _print_skipped(done: list[Imported], everything_in: Path | None) -> None:
    out = console()
    for imported in done:
        report = imported.report
        if not report.skipped:
            continue
        out.print(text(f"Skipped in {imported.input.path.name}:"))
        for skipped in report.examples[:SHOWN_EXAMPLES]:
            out.print(text(f"  {_place_and_reason(skipped)}"), soft_wrap=True)
        more = report.skipped - SHOWN_EXAMPLES
        if more > 0:
            where = f"all of them are in {everything_in}" if everything_in else "--report FILE writes all"
            out.print(text(f"  … and {counted(more, 'more row')}; {where}"))


def _check_anything_was_read(done: list[Imported]) -> None:
    reports = [imported.report for imported in done]
    if any(r.added + r.changed + r.unchanged + r.marks for r in reports) or not any(
        r.skipped for r in reports
    ):
        return
    names = ", ".join(str(imported.input.path) for imported in done)
    raise SourceError(
        f"nothing could be read from {names}: see the reasons, or name the format with --format"
    )
