"""`askagain data get`: public question sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, text
from askagain.cli.progress import shown_progress
from askagain.errors import SettingsError

app = typer.Typer(help="Download public question sets.")


@app.callback()
def _data() -> None:
    """Keeps `get` a command of its own: typer would merge a single one with its group."""


@app.command("get")
def get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The set: askubuntu (Lei et al. 2016).")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the files. Default: the set's name.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where to get them from. Default: their authors' page.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Download a set and verify it; run it again to go on after an interruption.

    Example: `askagain data get askubuntu --out data/askubuntu-lei`
    """
    from askagain.sources.download import ASKUBUNTU_URL, get_askubuntu

    if name != "askubuntu":
        raise SettingsError(f"no set is named {name!r}: the only one to download is askubuntu")
    with shown_progress() as progress:
        files = get_askubuntu(out or Path(name), base_url or ASKUBUNTU_URL, progress=progress)
    if json:
        print_json({"files": [str(file) for file in files]})
        return
    for file in files:
        console().print(text(str(file)), soft_wrap=True)
