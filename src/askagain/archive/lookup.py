"""Looks up many keys with few statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

# Older SQLite libraries allow 999 variables in a statement.
_KEYS_PER_STATEMENT = 900


def rows_for(
    connection: sqlite3.Connection, select: str, keys: Iterable[object]
) -> Iterator[tuple[Any, ...]]:
    """The rows of `select`, which ends in "IN", for all the keys; in no particular order."""
    rest = iter(keys)
    while chunk := list(islice(rest, _KEYS_PER_STATEMENT)):
        places = ",".join("?" * len(chunk))
        yield from connection.execute(f"{select} ({places})", chunk).fetchall()


def stream(
    connection: sqlite3.Connection, select: str, parameters: tuple[object, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """The rows of `select` one by one, all from one snapshot of the archive."""
    with closing(connection.execute(select, parameters)) as cursor:
        yield from cursor
