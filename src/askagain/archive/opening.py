"""Opens an archive file: makes it if asked, checks that it is one, brings it up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from askagain.archive.failures import translated
from askagain.archive.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from askagain.errors import ArchiveBusyError, ArchiveError

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


def open_file(path: Path, *, create: bool, wait_seconds: float) -> tuple[Address, sqlite3.Connection]:
    """The address of a usable archive, and a first connection to it."""
    try:
        _find_or_make(path, create)
    except OSError as error:
        raise ArchiveError(
            f"{path} cannot be reached: {error.strerror}; check that you may enter its folder"
        ) from error
    deadline = time.monotonic() + wait_seconds
    address = Address(path, wait_seconds)
    while True:
        try:
            with translated(path, wait_seconds):
                return _open(address, create)
        except ArchiveBusyError:
            # SQLite does not always wait by itself while another process makes or recovers the file.
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)


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


def _open(address: Address, create: bool) -> tuple[Address, sqlite3.Connection]:
    try:
        connection = address.connect()
    except sqlite3.OperationalError as error:
        address = _unchanging(address, error)
        connection = address.connect()
    try:
        _identify(connection, address.path, create)
        _bring_up_to_date(connection, address.path)
    except BaseException:
        connection.close()
        raise
    return address, connection


def _unchanging(address: Address, error: sqlite3.OperationalError) -> Address:
    """The address for a folder where SQLite cannot make the files that it shares with other processes."""
    refused = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    if not refused or os.access(address.path.parent, os.W_OK):
        raise error
    log = address.path.with_name(address.path.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise ArchiveError(
            f"{address.path} has changes in {log} that cannot be read from a read-only folder: "
            "open it once where the folder is writable"
        )
    return Address(address.path, address.wait_seconds, "mode=ro&immutable=1")


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


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # Not only for new files: a copy made with VACUUM INTO has lost this setting.
        connection.execute("PRAGMA journal_mode = WAL")
    if version_of(connection) < len(MIGRATIONS):
        migrate(connection)
