"""Where likely pairs are kept: in an SQLite file for several processes, or in the memory of one."""

from __future__ import annotations

import fcntl
import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from askagain.closing import Closing
from askagain.errors import IndexFileError

_WAIT_SECONDS: Final = 10.0
_DAMAGES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

logger = logging.getLogger(__name__)


class DamagedPairsError(IndexFileError):
    """What is in the file is not what was written."""


class PairFile(Closing):
    """All processes may read at any time; the one that holds the lock of the file beside it may write.

    Every use opens the file anew: another process may have put a new one in its place.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = path.with_name(f"{path.name}.lock")

    def check_writable(self) -> None:
        """An OSError where the file cannot be kept."""
        self._lock.open("ab").close()
        if self.path.exists():
            self.path.open("r+b").close()

    @contextmanager
    def building(self) -> Iterator[bool]:
        """Whether it is our turn to write. The system itself takes the lock from a process that dies."""
        try:
            file = self._lock.open("ab")
        except OSError as error:
            raise IndexFileError(f"{self._lock} cannot be opened: {error.strerror}") from error
        with file:
            yield _locked(file.fileno())

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """A connection of one's own. Errors of SQLite inside become those of this module."""
        with (
            _translated(self.path),
            closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)) as connection,
        ):
            yield connection

    def discard(self) -> None:
        """Remove the file; only for who holds the lock."""
        try:
            self.path.unlink(missing_ok=True)
            # Afterwards: without its journal, a file that a process died over would look sound.
            self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)
        except OSError as error:
            raise IndexFileError(f"{self.path} cannot be removed: {error.strerror}") from error

    def close(self) -> None:
        """Nothing is open between two uses."""


class PairsInMemory(Closing):
    """The same for the threads of one process, where no file can be kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn = threading.Lock()
        self._using = threading.RLock()
        self._connection = self._new()

    @contextmanager
    def building(self) -> Iterator[bool]:
        """Whether it is our turn to write."""
        ours = self._turn.acquire(blocking=False)
        try:
            yield ours
        finally:
            if ours:
                self._turn.release()

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """The one connection; others wait for it."""
        with self._using, _translated(self.path):
            yield self._connection

    def discard(self) -> None:
        """Begin anew."""
        with self._using:
            self._connection.close()
            self._connection = self._new()

    def close(self) -> None:
        """Forget everything."""
        with self._using:
            self._connection.close()

    def _new(self) -> sqlite3.Connection:
        return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def pairs_at(path: Path) -> PairFile | PairsInMemory:
    """The file at that path, or memory in its place where the folder is read-only."""
    file = PairFile(path)
    try:
        file.check_writable()
    except OSError as error:
        logger.info("%s cannot be written: %s: the next start has to search anew", path, error.strerror)
        return PairsInMemory(path)
    return file


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        kind = DamagedPairsError if _is_damage(error) else IndexFileError
        raise kind(f"{path} cannot be used: {error}") from error


def _is_damage(error: sqlite3.Error) -> bool:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Python's binding gives no code where a text is not UTF-8.
        return isinstance(error, sqlite3.OperationalError)
    return code & 0xFF in _DAMAGES
