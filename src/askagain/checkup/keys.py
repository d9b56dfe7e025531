"""The keys of an archive: whether those who need one have one that holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from askagain.archive import Key, Scope
from askagain.checkup.finding import Finding, ok, warning
from askagain.wording import counted

_SUBJECT: Final = "keys"


def check_keys(archive: Path, keys: Sequence[Key]) -> Iterator[Finding]:
    """An archive that is not served needs none."""
    if not keys:
        yield ok(_SUBJECT, f"none; to write through the service, {_make_one(archive)}")
        return
    now = datetime.now(UTC)
    for key in keys:
        if key.is_expired(now):
            detail = f"{key.name!r} has expired ({key.expires})"
            yield warning(_SUBJECT, detail, f"askagain keys revoke {key.name!r} --archive {archive}")
    holding = [key for key in keys if not key.is_expired(now)]
    if not any(key.scope.allows(Scope.WRITE) for key in holding):
        yield warning(_SUBJECT, "none lets the forum add questions through the service", _make_one(archive))
    elif holding:
        yield ok(_SUBJECT, f"{counted(len(holding), 'key')} in use")


def _make_one(archive: Path) -> str:
    return f"askagain keys add NAME --scope write --archive {archive}"
