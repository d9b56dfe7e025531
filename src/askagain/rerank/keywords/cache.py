"""Parses that were made before: one SQLite file for all texts, parsers and processes.

The file is a convenience. What cannot be read is parsed again, what cannot be written is parsed again next
time, and a file that is no database is replaced.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from askagain.cachefolder import cache_folder
from askagain.rerank.keywords.parsing import Parse, Parser

# The oldest parses go when there are more. A parse takes about 300 bytes.
MOST_PARSES: Final = 1_000_000

# Part of every key: to be raised when the same parser's parses change for another reason than its version.
_FORMAT: Final = 1
_SECONDS_TO_WAIT: Final = 30
_KEYS_AT_A_TIME: Final = 500
_DAMAGED: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS parses (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE ON CONFLICT REPLACE,
        parse TEXT NOT NULL
    )
"""


def key_of(parser: Parser, text: str) -> str:
    """The same for the same text, parser and version only."""
    return sha256(json.dumps([_FORMAT, parser.name, parser.version, text]).encode()).hexdigest()


class ParseCache:
    """Parses by their keys; several threads and processes may use the file at the same time."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_folder() / "parses.db"

    def get(self, keys: Iterable[str]) -> dict[str, Parse]:
        """Those that are there and whole."""
        found: dict[str, Parse] = {}
        waiting = iter(keys)

        def find(connection: sqlite3.Connection) -> None:
            while some := list(islice(waiting, _KEYS_AT_A_TIME)):
                holes = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, parse FROM parses WHERE key IN ({holes})", some)
                found.update((key, parse) for key, text in rows if (parse := _read(text)) is not None)

        self._try(find)
        return found

    def put(self, parses: Mapping[str, Parse]) -> None:
        """Keeps them, in one transaction."""
        rows = [(key, _written(parse)) for key, parse in parses.items()]

        def insert(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT INTO parses (key, parse) VALUES (?, ?)", rows)
            connection.execute(
                "DELETE FROM parses WHERE number <= (SELECT max(number) FROM parses) - ?", (MOST_PARSES,)
            )

        self._try(insert)

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """With a connection of its own, since threads cannot share one; an error ends this work only."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_SECONDS_TO_WAIT)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_SCHEMA)
                with connection:
                    work(connection)
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorcode", None) in _DAMAGED:
                self._remove()

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)


def _written(parse: Parse) -> str:
    return json.dumps([parse.words, parse.heads], separators=(",", ":"))


def _read(text: Any) -> Parse | None:
    """None for whatever is not exactly what was written."""
    try:
        words, heads = json.loads(text)
        is_sound = all(type(word) is str for word in words) and all(type(head) is int for head in heads)
        return Parse(tuple(words), tuple(heads)) if is_sound else None
    except (ValueError, TypeError):
        return None
