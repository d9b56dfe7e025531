"""The statements on the table of keys, which knows each key by its checksum only."""

from __future__ import annotations

import secrets
import sqlite3
from hashlib import sha256

from askagain.archive.connections import Transaction
from askagain.archive.hygiene import is_possible_id
from askagain.archive.records import Key, Scope

_PREFIX = "ask_"
_RANDOM_BYTES = 32
_COLUMNS = "name, scope, created, expires"


def add(transaction: Transaction, key: Key) -> str | None:
    """Makes up the key and gives it, this once; None if another one has its name."""
    made_up = _PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    row = (_checksum(made_up), key.name, key.scope.value, key.created, key.expires)
    inserted = transaction.connection.execute(
        f"INSERT INTO keys (hash, {_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING", row
    )
    return made_up if inserted.rowcount else None


def find(connection: sqlite3.Connection, key: str) -> Key | None:
    """What is known about a key that somebody presents."""
    select = f"SELECT {_COLUMNS} FROM keys WHERE hash = ?"
    row = connection.execute(select, (_checksum(key),)).fetchone()
    return _key(row) if row else None


def all_of(connection: sqlite3.Connection) -> list[Key]:
    """All keys, by name."""
    return [_key(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM keys ORDER BY name")]


def revoke(transaction: Transaction, name: str) -> bool:
    """Forgets the key of that name; whether there was one."""
    if not is_possible_id(name):
        return False
    return transaction.connection.execute("DELETE FROM keys WHERE name = ?", (name,)).rowcount > 0


def _key(row: tuple[str, str, str, str]) -> Key:
    name, scope, created, expires = row
    return Key(name, Scope(scope), created, expires)


def _checksum(key: str) -> str:
    """A plain one will do: 32 random bytes cannot be guessed, however fast the guessing is."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
