"""The archive file: whether it can be used, is sound, and what is in it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from askagain.archive import Archive
from askagain.archive.connections import Connections
from askagain.archive.failures import translated
from askagain.archive.opening import open_as_it_is
from askagain.archive.schema import MIGRATIONS, version_of
from askagain.archive.soundness import fault_of
from askagain.checkup.finding import Finding, ok, problem, warning
from askagain.checkup.space import size_of, sized
from askagain.wording import counted

SUBJECT: Final = "archive"
_WAIT_SECONDS: Final = 10.0


class LookedAt(NamedTuple):
    """An archive that is not brought up to date, and a connection to its file."""

    archive: Archive
    connection: sqlite3.Connection

    @property
    def is_current(self) -> bool:
        """Whether it has the tables of this version."""
        return version_of(self.connection) == len(MIGRATIONS)


@contextmanager
def looked_at(path: Path) -> Iterator[LookedAt]:
    """Only to read from; errors of SQLite become those of the archive."""
    address, connection = open_as_it_is(path, wait_seconds=_WAIT_SECONDS)
    with Archive(path, Connections(address, connection)) as archive, translated(path, _WAIT_SECONDS):
        yield LookedAt(archive, connection)


def check_soundness(looked: LookedAt) -> Finding:
    """Whether every page is as SQLite wrote it, and no mark is on a question that never was."""
    path = looked.archive.path
    fault = fault_of(looked.connection)
    if fault is None:
        return ok(SUBJECT, f"{path} is sound")
    remedy = f"restore a backup (askagain restore BACKUP --archive {path} --replace)"
    return problem(SUBJECT, f"{path} is damaged ({fault})", remedy)


def check_contents(looked: LookedAt) -> Iterator[Finding]:
    """What is in it, of which version it is, and whether it can be changed."""
    archive = looked.archive
    marks = sum(1 for _ in archive.marks())
    unused = sum(1 for _ in archive.marks(include_deleted=True)) - marks
    has = f"{counted(len(archive), 'question')}, {counted(marks, 'mark')}, {sized(size_of(archive.path))}"
    yield ok(SUBJECT, f"{has}; {counted(unused, 'mark')} of deleted questions not used" if unused else has)
    version = f"schema version {version_of(looked.connection)}"
    yield ok(SUBJECT, version if looked.is_current else f"{version}, {len(MIGRATIONS)} when it is next used")
    if not (os.access(archive.path, os.W_OK) and os.access(archive.path.absolute().parent, os.W_OK)):
        detail = f"you may not write to {archive.path} or its folder, so it can only be searched"
        yield warning(SUBJECT, detail, "change the rights, or be another user")
