"""Opens an archive file: makes it if asked, checks that it is one, brings it up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from askagain.archive.failures import translated
from askagain.archive.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from askagain.errors import ArchiveBusyError, ArchiveError

USED_FROM_AFAR: Final = "used from afar"
"""The note in an archive that several machines open at once, over a network file system."""

_RETRY_SECONDS = 0.02
_CACHE_KIBIBYTES = 32 * 1024


@dataclass(frozen=True, slots=True)
class Address:
    """Where an archive is and how its connections are opened."""

    path: Path
    wait_seconds: float
    mode: str = "mode=rw"

    def connect(self) -> sqlite3.Connection:
        """A new connection, set up so that whatever is committed survives a crash."""
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?{self.mode}",
            uri=True,
            timeout=self.wait_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
        except BaseException:
            connection.close()
            raise
        return connection


Opened = tuple[Address, sqlite3.Connection]
"""The address of a usable archive, and a first connection to it."""


def open_file(path: Path, *, create: bool, wait_seconds: float) -> Opened:
    """An archive to be used."""
    _reach(path, create)
    return _patiently(partial(_open, create=create), Address(path, wait_seconds))


def open_as_it_is(path: Path, *, wait_seconds: float) -> Opened:
    """An archive that is only looked at: nothing is made, switched or brought up to date."""
    _reach(path, create=False)
    # SQLite tidies a log up when the last connection closes, if that is allowed to write.
    mode = "mode=ro" if _log_of(path).exists() else "mode=rw"
    return _patiently(_look_at, Address(path, wait_seconds, mode))


def _patiently(open_at: Callable[[Address], Opened], address: Address) -> Opened:
    deadline = time.monotonic() + address.wait_seconds
    while True:
        try:
            with translated(address.path, address.wait_seconds):
                return open_at(address)
        except ArchiveBusyError:
            # SQLite does not always wait by itself while another process makes or recovers the file.
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _reach(path: Path, create: bool) -> None:
    try:
        _find_or_make(path, create)
    except OSError as error:
        raise ArchiveError(
            f"{path} cannot be reached: {error.strerror}; check that you may enter its folder"
        ) from error


def _find_or_make(path: Path, create: bool) -> None:
    if path.is_dir():
        raise ArchiveError(f"{path} is a folder: give the path of an archive file")
    if path.exists():
        return
    if not create:
        raise ArchiveError(f"{path} does not exist: check the path, or import questions into it first")
    if not path.parent.is_dir():
        raise ArchiveError(f"{path} cannot be made: the folder {path.parent} does not exist; make it first")
    if not os.access(path.parent, os.W_OK):
        raise ArchiveError(f"{path} cannot be made: the folder {path.parent} is read-only; choose another")
    path.touch()


def _open(address: Address, create: bool) -> Opened:
    address, connection = _look_at(address, create)
    try:
        _bring_up_to_date(connection, address.path)
    except BaseException:
        connection.close()
        raise
    return address, connection


def _look_at(address: Address, create: bool = False) -> Opened:
    try:
        connection = address.connect()
    except sqlite3.OperationalError as error:
        address = _unchanging(address, error)
        connection = address.connect()
    try:
        _identify(connection, address.path, create)
    except BaseException:
        connection.close()
        raise
    return address, connection


def _unchanging(address: Address, error: sqlite3.OperationalError) -> Address:
    """The address for a folder where SQLite cannot make the files that it shares with other processes."""
    refused = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    if not refused or os.access(address.path.parent, os.W_OK):
        raise error
    log = _log_of(address.path)
    if log.exists() and log.stat().st_size:
        raise ArchiveError(
            f"{address.path} has changes in {log} that cannot be read from a read-only folder: "
            "open it once where the folder is writable"
        )
    return Address(address.path, address.wait_seconds, "mode=ro&immutable=1")


def _log_of(path: Path) -> Path:
    """Where SQLite keeps what is committed and not yet in the file itself."""
    return path.with_name(path.name + "-wal")


def _identify(connection: sqlite3.Connection, path: Path, create: bool) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and create:
        return
    if application != APPLICATION_ID:
        raise ArchiveError(
            f"{path} is not an askagain archive (application id {application:#x}, not {APPLICATION_ID:#x}): "
            "give the path of one, or of a new file"
        )
    if version_of(connection) > len(MIGRATIONS):
        raise ArchiveError(
            f"{path} has schema version {version_of(connection)}, this askagain knows up to "
            f"{len(MIGRATIONS)}: install a newer askagain"
        )


def _is_used_from_afar(connection: sqlite3.Connection) -> bool:
    """SQLite's log, with which reads and writes do not wait for each other, needs memory that they share."""
    if version_of(connection) < len(MIGRATIONS):
        return False
    noted = connection.execute("SELECT 1 FROM meta WHERE key = 'note ' || ?", (USED_FROM_AFAR,)).fetchone()
    return noted is not None


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # Not only for new files: a copy made with VACUUM INTO has lost this setting.
        connection.execute(f"PRAGMA journal_mode = {'DELETE' if _is_used_from_afar(connection) else 'WAL'}")
    if version_of(connection) < len(MIGRATIONS):
        migrate(connection)
