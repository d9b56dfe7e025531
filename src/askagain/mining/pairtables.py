"""The tables of likely pairs, and the statements on them.

A pair is found by a search for the one of its questions, for the other one, or for both. Each way has its
probability, 0 if it was not found that way, and the sequence number that the archive had reached when the
search began: what was found before a question changed says nothing about it any more. `unlikely` is the
larger one of both probabilities with a minus in front.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple

from askagain.archive import Change, Position
from askagain.mining.cursors import Place

# "ASKP" in ASCII; tells likely pairs from any other SQLite file.
APPLICATION_ID: Final = 0x41534B50
FORMAT_VERSION: Final = 2
"""To be raised when the tables change, or what they mean."""

_SCHEMA: Final = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT_VERSION}",
    """CREATE TABLE state (
        identity TEXT NOT NULL, seq INTEGER NOT NULL, token TEXT NOT NULL, taken INTEGER NOT NULL
    )""",
    "CREATE TABLE questions (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, searched INTEGER NOT NULL)",
    "CREATE INDEX questions_searched ON questions (number) WHERE searched",
    """CREATE TABLE pairs (
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        from_first REAL NOT NULL,
        from_first_at INTEGER NOT NULL,
        from_second REAL NOT NULL,
        from_second_at INTEGER NOT NULL,
        unlikely REAL NOT NULL,
        PRIMARY KEY (first, second),
        CHECK (first < second)
    ) WITHOUT ROWID""",
    # All columns ascend, so that a page begins with one look-up, however many pairs are equally likely.
    "CREATE INDEX pairs_in_order ON pairs (unlikely, first, second)",
    "CREATE INDEX pairs_by_second ON pairs (second)",
)

_FORGET_OF_FIRST: Final = """UPDATE pairs SET from_first = 0,
    from_second = CASE WHEN from_second_at < ?2 THEN 0 ELSE from_second END WHERE first = ?1"""
_FORGET_OF_SECOND: Final = """UPDATE pairs SET from_second = 0,
    from_first = CASE WHEN from_first_at < ?2 THEN 0 ELSE from_first END WHERE second = ?1"""
_WEIGH: Final = "UPDATE pairs SET unlikely = -max(from_first, from_second) WHERE first = ?1 OR second = ?1"
_DROP: Final = "DELETE FROM pairs WHERE (first = ?1 OR second = ?1) AND unlikely = 0"
_FOUND_FROM_FIRST: Final = """INSERT INTO pairs VALUES (?1, ?2, ?3, ?4, 0, 0, -?3)
    ON CONFLICT (first, second) DO UPDATE SET from_first = ?3, from_first_at = ?4,
    unlikely = -max(?3, from_second)"""
_FOUND_FROM_SECOND: Final = """INSERT INTO pairs VALUES (?1, ?2, 0, 0, ?3, ?4, -?3)
    ON CONFLICT (first, second) DO UPDATE SET from_second = ?3, from_second_at = ?4,
    unlikely = -max(from_first, ?3)"""
_SEARCHED: Final = "INSERT INTO questions VALUES (?, ?, 1) ON CONFLICT (number) DO UPDATE SET searched = 1"
_MET: Final = "INSERT OR IGNORE INTO questions VALUES (?, ?, 0)"

Order = Literal["likelihood", "arrival"]
"""Of pairs: most likely first and then by numbers, or by numbers, which no new probability disturbs."""

_SELECT: Final = """SELECT -unlikely, first, second, one.id, two.id FROM pairs
    JOIN questions one ON one.number = first JOIN questions two ON two.number = second
    WHERE unlikely <= -:least"""
_AFTER: Final[Mapping[Order, str]] = {
    "likelihood": """AND (unlikely, first, second) > (-:probability, :first, :second)
        ORDER BY unlikely, first, second LIMIT :most""",
    "arrival": "AND (first, second) > (:first, :second) ORDER BY first, second LIMIT :most",
}
_COUNT: Final = "SELECT count(*) FROM pairs WHERE unlikely <= ?"
_COUNT_OF: Final = """SELECT count(*) FROM json_each(?) wanted
    JOIN questions one ON one.id = json_extract(wanted.value, '$[0]')
    JOIN questions two ON two.id = json_extract(wanted.value, '$[1]')
    JOIN pairs ON first = one.number AND second = two.number WHERE unlikely <= ?"""


class State(NamedTuple):
    """Whose pairs these are, and how far the archive was followed: all changes up to `taken` are there.

    `position` is not older than any of them, so they belong to every history that it belongs to.
    """

    identity: str
    position: Position
    taken: int


class Finding(NamedTuple):
    """What the search for a question, given by its number, has found; the archive was at `at` then."""

    asked: int
    found: int
    found_id: str
    probability: float
    at: int


class Row(NamedTuple):
    """A pair of questions: their place among all pairs, and their ids."""

    place: Place
    first_id: str
    second_id: str


# Writing


def create(connection: sqlite3.Connection, state: State) -> None:
    """Make the tables in an empty file."""
    with _transaction(connection):
        for statement in _SCHEMA:
            connection.execute(statement)
        _set_state(connection, state)


def take_over(
    connection: sqlite3.Connection, state: State, changes: Sequence[Change], findings: Sequence[Finding]
) -> None:
    """Replace what was known of changed questions by what was found for them: all of it, or nothing."""
    with _transaction(connection):
        for change in changes:
            _forget(connection, change)
        for finding in findings:
            _put(connection, finding)
        connection.executemany(_MET, ((finding.found, finding.found_id) for finding in findings))
        _set_state(connection, state)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _forget(connection: sqlite3.Connection, change: Change) -> None:
    """What the searches for others have found since the change stays."""
    connection.execute(_FORGET_OF_FIRST, (change.number, change.seq))
    connection.execute(_FORGET_OF_SECOND, (change.number, change.seq))
    connection.execute(_WEIGH, (change.number,))
    connection.execute(_DROP, (change.number,))
    if change.question is None:
        connection.execute("DELETE FROM questions WHERE number = ?", (change.number,))
    else:
        connection.execute(_SEARCHED, (change.number, change.id))


def _put(connection: sqlite3.Connection, finding: Finding) -> None:
    asked, found, _, probability, at = finding
    if asked < found:
        connection.execute(_FOUND_FROM_FIRST, (asked, found, probability, at))
    else:
        connection.execute(_FOUND_FROM_SECOND, (found, asked, probability, at))


def _set_state(connection: sqlite3.Connection, state: State) -> None:
    connection.execute("DELETE FROM state")
    connection.execute(
        "INSERT INTO state VALUES (?, ?, ?, ?)",
        (state.identity, state.position.seq, state.position.token, state.taken),
    )


# Reading


def is_intact(connection: sqlite3.Connection) -> bool:
    """Whether the file is what SQLite has written."""
    return connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nobody has written anything yet."""
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def state_of(connection: sqlite3.Connection) -> State | None:
    """None if these are not the tables of this format version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) != (APPLICATION_ID, FORMAT_VERSION):
        return None
    row = connection.execute("SELECT identity, seq, token, taken FROM state").fetchone()
    return State(row[0], Position(row[1], row[2]), row[3]) if row else None


def searched(connection: sqlite3.Connection) -> int:
    """How many questions have been searched for."""
    (count,) = connection.execute("SELECT count(*) FROM questions WHERE searched").fetchone()
    return int(count)


def rows_after(
    connection: sqlite3.Connection, order: Order, least: float, place: Place, most: int
) -> list[Row]:
    """The pairs that follow a place in this order."""
    wanted = {"least": least, "most": most, **place._asdict()}
    rows = connection.execute(f"{_SELECT} {_AFTER[order]}", wanted).fetchall()
    return [Row(Place(*row[:3]), *row[3:]) for row in rows]


def count(connection: sqlite3.Connection, least: float, without: Collection[tuple[str, str]]) -> int:
    """How many pairs there are; pairs of ids, the lower number first, can be left out."""
    (every,) = connection.execute(_COUNT, (-least,)).fetchone()
    (left_out,) = connection.execute(_COUNT_OF, (json.dumps(list(without)), -least)).fetchone()
    return int(every) - int(left_out)
