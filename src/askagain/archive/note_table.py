"""Notes of whoever writes the archive, in the table of what the file says about itself."""

from __future__ import annotations

import sqlite3

from askagain.archive.connections import Transaction

_PREFIX = "note "


def put(transaction: Transaction, name: str, value: str) -> None:
    """Keeps a value, in place of an earlier one."""
    transaction.connection.execute(
        "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2", (_PREFIX + name, value)
    )


def get(connection: sqlite3.Connection, name: str) -> str | None:
    """The value; None if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_PREFIX + name,)).fetchone()
    return None if row is None else str(row[0])
