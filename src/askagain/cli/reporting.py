"""`askagain report`: what a system would have done on the marks of an archive."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from askagain.cli.compiling import announce_compiling
from askagain.cli.files import check_writable, written_whole
from askagain.cli.fusing import shipped_judge
from askagain.cli.options import ArchivePath, AsJson
from askagain.cli.output import console, print_json, text
from askagain.cli.progress import shown_progress
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import SettingsError
from askagain.fusion.recipe import FusedSystem
from askagain.systems import FUSED_SYSTEMS, load_system

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askagain.reporting.mistakes import Mistake
    from askagain.reporting.report import Report
    from askagain.reporting.telling import Grid

_MONTHS: Final = 12
_MISTAKES: Final = 3


def report(
    archive: ArchivePath,
    system: Annotated[
        str,
        typer.Option(metavar="NAME", help="best, best-transformer, or your own recipe.toml with [fusion]."),
    ] = "best",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page to write. Default: beside the archive."),
    ] = None,
    most: Annotated[
        int, typer.Option(metavar="N", min=10, help="How many marked questions are asked again, at most.")
    ] = 8000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Fixes every random choice.")] = 0,
    json: AsJson = False,
) -> None:
    """Show what a system would have done on the pairs that people have marked.

    Precision and recall over time, the worst mistakes with their texts, and how quality grows with marks, in
    short here and at length on a page. Nothing of it is learned from the pairs that it is measured with.

    Example: `askagain report --archive forum.db`
    """
    recipe = load_system(system)
    if not isinstance(recipe, FusedSystem):
        raise SettingsError(
            f"{system} cannot be reported on: choose {' or '.join(FUSED_SYSTEMS)}, or measure it with "
            "askagain evaluate"
        )
    _check_encoders(recipe)
    page = out or archive.with_name(f"{archive.name}.report.html")
    check_writable(page)
    announce_compiling()
    found = _report(archive, recipe, most, seed)
    _write(found, page)
    if json:
        from askagain.reporting.values import report_values

        print_json({**report_values(found), "page": str(page)})
    else:
        _print(found)
        console().print(text(f"Everything, with texts and pictures, is in {page}"), soft_wrap=True)


def _check_encoders(system: FusedSystem) -> None:
    """One that learns from the forum has learned from the marks that a report measures with."""
    from askagain.fusion.making import fusible_system

    for name in system.fusion.encoders:
        if isinstance(fusible_system(name), EncoderSystem):
            raise SettingsError(
                f"{system.name} cannot be reported on: its encoder {name} learns from the same marks; "
                "measure it with askagain evaluate, on marks that it has not seen"
            )


def _report(archive: Path, system: FusedSystem, most: int, seed: int) -> Report:
    from askagain.archive import Archive
    from askagain.reporting.report import report_on
    from askagain.views import Views

    with shown_progress() as progress, Archive.open(archive, create=False) as opened:
        views = Views(opened, progress=partial(progress, "indexing"))
        try:
            return report_on(
                opened, system, views,
                default=shipped_judge(system), seed=seed, most=most, progress=progress,
            )  # fmt: skip
        finally:
            views.close()


def _write(report: Report, path: Path) -> None:
    from askagain.reporting.page import report_page

    with written_whole(path) as file:
        file.write(report_page(report).encode("utf-8", "replace"))


def _print(report: Report) -> None:
    from askagain.reporting import telling

    out = console()
    for sentence in telling.summary(report):
        out.print(text(sentence))
    months = telling.periods_grid(report)
    earlier = len(months.rows) - 1 - _MONTHS
    _print_grid("By month", telling.Grid(months.head, months.rows[max(earlier, 0) :]))
    if earlier > 0:
        out.print(text(f"{earlier} earlier months are on the page.", style="dim"))
    _print_grid("Mistakes", telling.counts_grid(report))
    _print_mistakes("Wrong and likely", report.mistakes.wrong)
    _print_mistakes("Missed", report.mistakes.missed)
    if report.growth:
        _print_grid("With more marks", telling.growth_grid(report))
    out.print(text(telling.growth_note(report), style="dim"))
    out.print()


def _print_grid(title: str, grid: Grid) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, name in enumerate(grid.head):
        table.add_column(name, justify="right" if place else "left")
    for row in grid.rows:
        table.add_row(*map(text, row))
    _headline(title)
    console().print(table)


def _print_mistakes(title: str, mistakes: Sequence[Mistake]) -> None:
    from askagain.reporting.telling import mistake_text

    if not mistakes:
        return
    _headline(f"{title}, for example")
    for mistake in mistakes[:_MISTAKES]:
        lines = (
            (mistake.asked.title, "bold"),
            (mistake.found.title, "bold"),
            (f"{mistake_text(mistake)}; {mistake.reason}", "dim"),
        )
        for number, (line, style) in enumerate(lines):
            console().print(text(f"{'- ' if not number else '  '}{line}", style), soft_wrap=True)


def _headline(title: str) -> None:
    console().print()
    console().print(text(title, style="bold underline"))
