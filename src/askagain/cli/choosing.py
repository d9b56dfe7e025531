"""`askagain use`: the system that an archive is searched with."""

from __future__ import annotations

from typing import Annotated

import typer

from askagain.archive import Archive
from askagain.cli.options import ArchivePath
from askagain.cli.output import console, text
from askagain.cli.training import absolute
from askagain.encoders.ready import ReadySystem
from askagain.lexical.recipe import LexicalSystem
from askagain.systems import READY_TO_USE, System, load_system
from askagain.trained import choose_system, require_model


def use(
    system: Annotated[
        str,
        typer.Argument(metavar="SYSTEM", help='One of "askagain systems", or your own recipe.toml.'),
    ],
    archive: ArchivePath,
) -> None:
    """Choose the system with which an archive is searched if none is named.

    One that must learn first must have been trained on the archive; to train a system is to choose it, too.

    Example: `askagain use bm25 --archive forum.db`
    """
    recipe = load_system(system)
    Archive.open(archive, create=False).close()
    if not _is_ready(recipe):
        require_model(archive, recipe.name)
    choose_system(archive, absolute(system))
    console().print(text(f"From now on {archive} is searched with {recipe.name}."), soft_wrap=True)


def _is_ready(recipe: System) -> bool:
    """Whether it searches an archive that nothing was trained on."""
    return isinstance(recipe, LexicalSystem | ReadySystem) or recipe.name in READY_TO_USE
