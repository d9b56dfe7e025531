"""The pairs of all parts as one list: each pair once, most likely first, in bounded memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.mining.listing import Record

_TABLE = """CREATE TABLE pairs (
    first INTEGER NOT NULL, second INTEGER NOT NULL, unlikely REAL NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (first, second)) WITHOUT ROWID"""
# A pair that both of its questions have found is as likely as the more confident of them says.
_TAKE = """INSERT INTO pairs VALUES (?, ?, ?, ?) ON CONFLICT (first, second) DO UPDATE
    SET unlikely = excluded.unlikely, record = excluded.record WHERE excluded.unlikely < unlikely"""
_LIST = "SELECT record FROM pairs WHERE unlikely <= ? ORDER BY unlikely, first, second"


def merged(parts: Iterable[Path], least: float) -> Iterator[Record]:
    """What is at least so likely."""
    with (
        TemporaryDirectory(prefix="askagain-pairs-") as folder,
        closing(sqlite3.connect(Path(folder) / "pairs.db", isolation_level=None)) as database,
    ):
        database.execute("PRAGMA synchronous = off")
        database.execute(_TABLE)
        for part in parts:
            database.execute("BEGIN")
            with part.open(encoding="utf-8") as lines:
                database.executemany(_TAKE, map(_row, lines))
            database.execute("COMMIT")
        for (text,) in database.execute(_LIST, (-least,)):
            record: Record = json.loads(text)
            del record["numbers"]
            yield record


def _row(line: str) -> tuple[int, int, float, str]:
    record = json.loads(line)
    first, second = record["numbers"]
    return first, second, -record["probability"], line
