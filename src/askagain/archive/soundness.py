"""Whether an archive file is as SQLite wrote it."""

from __future__ import annotations

import sqlite3

from askagain.archive.schema import lacking
from askagain.wording import counted

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The errors that mean so; all others mean that something else is wrong."""


def fault_of(connection: sqlite3.Connection) -> str | None:
    """What is wrong with the file, in SQLite's words; None if nothing is. Reads all of it."""
    try:
        (first,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if first != "ok":
            return " ".join(str(first).split())
        if (missing := lacking(connection)) is not None:
            return f"{missing} is missing, or another one"
        dangling = len(connection.execute("PRAGMA foreign_key_check").fetchall())
        return f"{counted(dangling, 'row')} of questions that never were" if dangling else None
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return str(error)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether it is about what is in the file."""
    # Errors that Python's binding raises by itself carry no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in DAMAGE
