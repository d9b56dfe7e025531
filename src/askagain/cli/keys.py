"""`askagain keys`: who may use the service, and for what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from askagain.archive import Archive, Key, Scope
from askagain.cli.options import ArchivePath, AsJson
from askagain.cli.output import console, print_json, remark, text
from askagain.errors import SettingsError

app = typer.Typer(help="Make, list and revoke the keys of programs that use the service.")


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who uses the key; marks bear this name.")],
    archive: ArchivePath,
    scope: Annotated[
        Scope,
        typer.Option(
            help="read: search, where that needs a key. write: that, add questions and give feedback. "
            "moderate: search, mark pairs and give feedback."
        ),
    ],
    expires: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=1, max=36_500, help="Days until the key expires. Default: never."),
    ] = None,
) -> None:
    """Make a key and print it, this once: the archive keeps only its checksum.

    Example: `askagain keys add forum-plugin --scope write --archive forum.db`
    """
    until = (datetime.now(UTC) + timedelta(days=expires)).isoformat() if expires else ""
    with Archive.open(archive, create=False) as opened:
        key = opened.add_key(name, scope, expires=until)
    typer.echo(key)
    remark(
        "The key is shown this once: keep it where nobody else reads it. Send it as Authorization: Bearer KEY"
    )


@app.command("list")
def list_keys(archive: ArchivePath, json: AsJson = False) -> None:
    """List the keys by name: what they are for, when they were made, when they expire.

    Example: `askagain keys list --archive forum.db`
    """
    with Archive.open(archive, create=False) as opened:
        keys = opened.keys()
    now = datetime.now(UTC)
    if json:
        print_json({"keys": [_key_json(key, now) for key in keys]})
        return
    width = max((len(key.name) for key in keys), default=0)
    for key in keys:
        line = f"{key.name:{width}}  {key.scope:8}  made {key.created}, {_expiry(key, now)}"
        console().print(text(line), soft_wrap=True)
    if not keys:
        remark(
            f"{archive} has no keys: make one with askagain keys add NAME --scope write --archive {archive}"
        )


@app.command("revoke")
def revoke(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that the key was given.")],
    archive: ArchivePath,
) -> None:
    """Revoke a key at once; its name can be given to another one then.

    Example: `askagain keys revoke forum-plugin --archive forum.db`
    """
    with Archive.open(archive, create=False) as opened:
        if not opened.revoke_key(name):
            raise SettingsError(
                f"no key of {archive} is named {name!r}: see askagain keys list --archive {archive}"
            )
    console().print(text(f"The key {name} is revoked."), soft_wrap=True)


def _key_json(key: Key, now: datetime) -> dict[str, object]:
    return {
        "name": key.name,
        "scope": key.scope.value,
        "created": key.created,
        "expires": key.expires or None,
        "expired": key.is_expired(now),
    }


def _expiry(key: Key, now: datetime) -> str:
    if not key.expires:
        return "never expires"
    return f"expired {key.expires}" if key.is_expired(now) else f"expires {key.expires}"
