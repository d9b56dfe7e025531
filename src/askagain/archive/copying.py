"""Archives copied as SQLite copies them, page by page: to a new file, or over what is in an old one."""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from askagain.archive.failures import busy, translated
from askagain.archive.opening import Address, open_as_it_is
from askagain.archive.schema import MIGRATIONS, migrate, version_of
from askagain.archive.soundness import fault_of
from askagain.errors import ArchiveError, OutputError
from askagain.sources.base import Progress

WAIT_SECONDS = 10.0
_PAGES_PER_STEP = 1024
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An archive as it was committed when it was opened."""

    path: Path
    connection: sqlite3.Connection

    def rows(self) -> dict[str, int]:
        """How many rows each table has; older schemas have fewer tables."""
        return _rows(self.connection)


@contextmanager
def snapshot(path: Path) -> Iterator[Snapshot]:
    """The archive as it is committed now, whatever others write meanwhile."""
    _, connection = open_as_it_is(path, wait_seconds=WAIT_SECONDS)
    with closing(connection), translated(path, WAIT_SECONDS):
        connection.execute("BEGIN")
        version_of(connection)  # the first read after BEGIN decides what is seen
        yield Snapshot(path, connection)


def write_new(source: Snapshot, path: Path, owned_like: Path, progress: Progress) -> None:
    """A file that takes its name, and the place of what has it, when it is complete and checked."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        _make_private(part)
        _fill(source, part, progress)
        _check(part, source)
        _give_rights(part, owned_like)
        _make_durable(part)
        # First these: what SQLite finds in the log of an old file it would write into the new one.
        _remove_beside(path)
        part.replace(path)
        _make_durable(path.parent)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}; choose another place") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
            _remove_beside(part)


def overwrite(source: Snapshot, path: Path, progress: Progress) -> None:
    """In one commit: a crash leaves the old archive, and whoever has it open goes on with the new one."""
    with translated(path, WAIT_SECONDS), closing(Address(path, WAIT_SECONDS).connect()) as target:
        _check_page_sizes(source, target, path)
        _copy(source, target, path, progress)
        # Whoever has it open expects the tables of this version.
        if version_of(target) < len(MIGRATIONS):
            migrate(target)
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _copy(source: Snapshot, target: sqlite3.Connection, path: Path, progress: Progress) -> None:
    """Every page, to the target at `path`."""

    def on_step(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            # Python's binding would try again for ever.
            raise busy(path, WAIT_SECONDS)
        progress(total - remaining, total)

    source.connection.backup(target, pages=_PAGES_PER_STEP, progress=on_step)


def _rows(connection: sqlite3.Connection) -> dict[str, int]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    quoted = {name: '"' + name.replace('"', '""') + '"' for (name,) in tables}
    return {
        name: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for name, table in quoted.items()
    }


# A new file


def _make_private(path: Path) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, stat.S_IRUSR | stat.S_IWUSR))


def _fill(source: Snapshot, part: Path, progress: Progress) -> None:
    with translated(part, WAIT_SECONDS), closing(Address(part, WAIT_SECONDS).connect()) as copy:
        # Nothing to undo: if anything fails, the file is thrown away.
        copy.execute("PRAGMA journal_mode = MEMORY")
        _copy(source, copy, part, progress)
        # Not in WAL mode, as the archive is: one file that needs no others beside it.
        copy.execute("PRAGMA journal_mode = DELETE")


def _check(part: Path, source: Snapshot) -> None:
    _, connection = open_as_it_is(part, wait_seconds=WAIT_SECONDS)
    with closing(connection) as copy, translated(part, WAIT_SECONDS):
        fault = fault_of(copy) or (None if _rows(copy) == source.rows() else "rows are missing")
    if fault is not None:
        raise ArchiveError(
            f"the copy of {source.path} is damaged ({fault}): see askagain doctor --archive {source.path}, "
            "and check the disk"
        )


def _give_rights(path: Path, owned_like: Path) -> None:
    """Those of another file; only the superuser can give it to its owner."""
    status = owned_like.stat()
    path.chmod(stat.S_IMODE(status.st_mode) | stat.S_IWUSR)
    with suppress(PermissionError):
        os.chown(path, status.st_uid, status.st_gid)


def _make_durable(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_beside(path: Path) -> None:
    for ending in _BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)


# Over what is there


def _check_page_sizes(source: Snapshot, target: sqlite3.Connection, path: Path) -> None:
    """SQLite cannot change the size of pages in WAL mode."""
    wanted, found = (each.execute("PRAGMA page_size").fetchone()[0] for each in (source.connection, target))
    if wanted != found:
        raise ArchiveError(
            f"{path} has pages of {found} bytes and {source.path} has pages of {wanted}: "
            f"move {path.name} and its -wal and -shm files away first"
        )
