"""`askagain doctor`: what is wrong here, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, text
from askagain.wording import counted

if TYPE_CHECKING:
    from askagain.checkup.finding import Finding

NOT_WELL: Final = 1
_STYLES: Final = {"ok": "green", "warning": "yellow", "problem": "bold red"}


def doctor(
    archive: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An archive to look at, too; it is not changed.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Check the installation, and an archive with its indexes, models and keys.

    Each check gives a line: ok, a warning, or a problem, with what to do about it. Nothing is changed. The
    exit code is 1 if there is a problem, else 0.

    Example: `askagain doctor --archive forum.db`
    """
    # Imported here: compiled kernels take a moment to load.
    from askagain.checkup.checkup import check_up

    findings: list[Finding] = []
    for finding in check_up(archive):
        findings.append(finding)
        if not json:
            _print(finding)
    problems = sum(finding.level == "problem" for finding in findings)
    warnings = sum(finding.level == "warning" for finding in findings)
    if json:
        checks = [asdict(finding) for finding in findings]
        print_json({"problems": problems, "warnings": warnings, "checks": checks})
    else:
        console().print(text(f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}"))
    if problems:
        raise typer.Exit(NOT_WELL)


def _print(finding: Finding) -> None:
    level = text(f"{finding.level:7}", style=_STYLES[finding.level])
    console().print(level, text(finding.line), soft_wrap=True)
