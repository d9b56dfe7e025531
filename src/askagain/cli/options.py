"""Options that several commands have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ArchivePath = Annotated[
    Path,
    typer.Option(
        "--archive", metavar="FILE", help="The archive: one file that holds your forum's questions."
    ),
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

Parameters = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter of the systems; repeatable."),
]
