"""`askagain serve`: the HTTP service and its page."""

from __future__ import annotations

import os
import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from askagain.cli.compiling import announce_compiling
from askagain.cli.output import remark
from askagain.cli.progress import shown_progress
from askagain.engine import Engine
from askagain.errors import SettingsError
from askagain.extras import check_serve

Host = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Where to listen. Default: this machine only.")
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="The port; 0 takes a free one. Default: 8017."),
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=64, help="How many processes answer. Default: 1.")
]


def serve(
    archive: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The archive: one file that holds your forum's questions."),
    ] = None,
    host: Host = None,
    port: Port = None,
    workers: Workers = None,
    system: Annotated[
        str | None, typer.Option(metavar="NAME", help="The system. Default: as for search.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="More settings, as a TOML file: see docs/service.md.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve an archive over HTTP: suggestions while people type, a moderators' queue, and a page for both.

    Settings come from the file, then from variables such as ASKAGAIN_SERVE_PORT, then from these options.

    Example: `askagain serve --archive forum.db --port 8017`
    """
    check_serve()
    from askagain.service.running import serve as run
    from askagain.service.settings import read_settings

    given = {"archive": archive, "host": host, "port": port, "workers": workers, "system": system}
    settings = read_settings(
        config, os.environ, {name: _plain(value) for name, value in given.items() if value is not None}
    )
    if not settings.archive:
        raise SettingsError("no archive is named: give one with --archive FILE")
    announce_compiling()
    _prepare(Path(settings.archive), settings.system or None, settings.model or None)
    run(settings, partial(announce, open_page=open_page))


def serve_archive(archive: Path, port: int) -> None:
    """Serves an archive whose indexes are ready, and opens the page where there is a desktop."""
    from askagain.service.running import serve as run
    from askagain.service.settings import ServiceSettings

    run(ServiceSettings(archive=str(archive), port=port), partial(announce, open_page=True))


def _prepare(archive: Path, system: str | None, model: str | None) -> None:
    """Builds the indexes before the service starts, with progress; its processes then only read them."""
    with (
        shown_progress() as progress,
        Engine.open(archive, system, model=model, progress=partial(progress, "indexing")),
    ):
        pass


def announce(address: str, *, open_page: bool) -> None:
    """Tell where the service is, and open its page where there is a desktop."""
    remark(f"serving on {address}")
    if open_page and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(address)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
