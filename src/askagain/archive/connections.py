"""The connections to one archive file: one that writes, and as many as are needed that read."""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from askagain.archive.failures import busy, translated
from askagain.archive.opening import Address
from askagain.errors import ArchiveError


def now() -> str:
    """The time of day in UTC, as the archive writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(slots=True)
class Transaction:
    """A write in progress, and the last sequence number that it has given out."""

    connection: sqlite3.Connection
    seq: int
    thread: int = field(default_factory=threading.get_ident)

    def next_seq(self) -> int:
        """The number for one more changed row."""
        self.seq += 1
        return self.seq


class Connections:
    """Hands out connections to threads; a reader never waits for a writer."""

    def __init__(self, address: Address, writer: sqlite3.Connection) -> None:
        self._address = address
        self._writer = writer
        self._write_lock = threading.RLock()
        self._transaction: Transaction | None = None
        self._idle_readers: list[sqlite3.Connection] = []
        self._inherited: tuple[object, ...] = ()
        self._closed = False

    def close(self) -> None:
        """Closes everything that is not in use; a reader in use is closed when it is handed back."""
        self._closed = True
        while self._idle_readers:
            self._idle_readers.pop().close()
        with self._write_lock:
            self._writer.close()

    def begin_anew(self) -> None:
        """In a forked process: SQLite's connections must not be used there, nor closed."""
        self._inherited = (self._writer, self._idle_readers)
        self._writer, self._idle_readers = self._address.connect(), []
        self._write_lock = threading.RLock()

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """All or nothing: commits at the end, undoes everything on an error. Inner ones join the outer."""
        if not self._write_lock.acquire(timeout=self._address.wait_seconds):
            raise busy(self._address.path, self._address.wait_seconds, who="thread")
        try:
            self._check_open()
            with self._outer() if self._transaction is None else self._inner(self._transaction) as inside:
                yield inside
        finally:
            self._write_lock.release()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction for the archive's own statements, whose errors are translated."""
        with self.transaction() as transaction, self._translated():
            yield transaction

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for short reads: inside a transaction the one that sees its writes."""
        transaction = self._transaction
        if transaction is not None and transaction.thread == threading.get_ident():
            with self._translated():
                yield transaction.connection
        else:
            with self.streaming() as connection:
                yield connection

    @contextmanager
    def streaming(self) -> Iterator[sqlite3.Connection]:
        """A connection of one's own for as long as needed; it sees what is committed."""
        self._check_open()
        with self._translated():
            try:
                connection = self._idle_readers.pop()
            except IndexError:
                connection = self._address.connect()
            try:
                yield connection
            finally:
                self._take_back(connection)

    @contextmanager
    def _outer(self) -> Iterator[Transaction]:
        try:
            with self._translated():
                self._writer.execute("BEGIN IMMEDIATE")
                (start,) = self._writer.execute("SELECT ifnull(max(seq), 0) FROM commits").fetchone()
            self._transaction = transaction = Transaction(self._writer, start)
            yield transaction
            with self._translated():
                _commit(transaction, start)
        except BaseException:
            # SQLite itself has undone everything already after some errors, such as a full disk.
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        finally:
            self._transaction = None

    @contextmanager
    def _inner(self, transaction: Transaction) -> Iterator[Transaction]:
        if not self._writer.in_transaction:
            raise ArchiveError(
                f"the transaction on {self._address.path} was undone by an earlier error: start it again"
            )
        start = transaction.seq
        self._writer.execute("SAVEPOINT inside")
        try:
            yield transaction
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK TO inside")
                self._writer.execute("RELEASE inside")
            transaction.seq = start
            raise
        self._writer.execute("RELEASE inside")

    def _take_back(self, reader: sqlite3.Connection) -> None:
        if self._closed:
            reader.close()
        else:
            self._idle_readers.append(reader)

    def _check_open(self) -> None:
        if self._closed:
            raise ArchiveError(f"the archive {self._address.path} was closed: open it again to use it")

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._address.path, self._address.wait_seconds)


def _commit(transaction: Transaction, start: int) -> None:
    if transaction.seq > start:
        transaction.connection.execute(
            "INSERT INTO commits (seq, token, at) VALUES (?, ?, ?)",
            (transaction.seq, secrets.token_hex(8), now()),
        )
    transaction.connection.execute("COMMIT")
