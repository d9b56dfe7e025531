"""Turns SQLite's errors into the archive's own, which say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from askagain.errors import ArchiveBusyError, ArchiveError, ArchiveFullError

# A quota or a file size limit shows as a failed write, a full disk under the -shm file as SHMSIZE.
_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}

_REMEDIES = {
    sqlite3.SQLITE_READONLY: "is read-only: make the file and its folder writable to change the archive",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check that you may read and write it and its folder",
    sqlite3.SQLITE_NOTADB: "is not an askagain archive: give the path of one, or of a new file",
    sqlite3.SQLITE_CORRUPT: "is damaged: restore it from a backup, or import its sources into a new file",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error; check it, then try again",
}


@contextmanager
def translated(path: Path, wait_seconds: float) -> Iterator[None]:
    """Every SQLite error inside becomes an ArchiveError that names the file and the remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, path, wait_seconds) from error


def busy(path: Path, wait_seconds: float, who: str = "process") -> ArchiveBusyError:
    """The error for a write lock that somebody else did not give back in time."""
    return ArchiveBusyError(
        f"another {who} is writing to {path}; waited {wait_seconds:g} s; try again or wait for it to finish"
    )


def _translate(error: sqlite3.Error, path: Path, wait_seconds: float) -> ArchiveError:
    # Errors that Python's binding raises by itself carry no code.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_BUSY:
        return busy(path, wait_seconds)
    if code in _NO_ROOM:
        return ArchiveFullError(
            f"no room left to write {path} ({error}): free some space or raise the quota, then try again; "
            "everything acknowledged before is safe"
        )
    if primary in _REMEDIES:
        return ArchiveError(f"{path} {_REMEDIES[primary]}")
    return ArchiveError(f"{path} cannot be used: {error}")
