"""Brings the new, changed and deleted questions of a forum's own database into an archive.

The example's database is SQLite, with the table

    posts (id, title, body, tags, created_at, updated_at, url, answer, deleted)

where tags have blanks between them, updated_at is like 2024-05-01 12:00:00 in UTC, with an index, and deleted
is 0 or 1. Change `ROWS`, `change_of` and the connection for yours. Run it every minute, say by cron:

    export ASKAGAIN_URL=http://127.0.0.1:8017
    export ASKAGAIN_KEY=ask_...                        # `askagain keys` makes one; its scope is write
    python examples/sync_database.py forum.sqlite position.json

The second file remembers where it was. Stopped at any moment, it goes on from there; without that file it
starts from the beginning, which does no harm.
"""

import argparse
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from askagain import Question
from askagain.client import Client, Deletion
from askagain.errors import AskagainError

BATCH = 500

# The last seconds are left for the next time: transactions that are under way may still add rows to them.
ROWS = """
SELECT * FROM posts
WHERE (updated_at, id) > (?, ?) AND updated_at < datetime('now', '-10 seconds')
ORDER BY updated_at, id LIMIT ?
"""


def main() -> None:
    """One pass over all that has changed since the last one."""
    parser = argparse.ArgumentParser(description="Brings a forum's questions into an archive.")
    parser.add_argument("database", type=Path)
    parser.add_argument("position", type=Path, help="remembers where the last pass ended")
    given = parser.parse_args()
    if missing := [name for name in ("ASKAGAIN_URL", "ASKAGAIN_KEY") if not os.environ.get(name)]:
        sys.exit(f"set {', '.join(missing)} in the environment")
    try:
        with Client(os.environ["ASKAGAIN_URL"], os.environ["ASKAGAIN_KEY"], timeout=60) as client:
            sync(client, given.database, given.position)
    except (AskagainError, OSError, sqlite3.Error) as error:
        sys.exit(f"stopped, and goes on there next time: {error}")


def sync(client: Client, database: Path, position: Path) -> None:
    """Sends batch after batch; each is written when the service says so, and only then remembered."""
    for rows in batches(database, position):
        counts = client.put_many(change_of(row) for row in rows)
        for rejected in counts.rejected:
            print(f"question {rows[rejected.line - 1]['id']}: {rejected.detail}", file=sys.stderr)
        remember(position, rows[-1])
        print(f"{counts.added} added, {counts.changed} changed, {counts.deleted} deleted")


def batches(database: Path, position: Path) -> Iterator[list[sqlite3.Row]]:
    """The rows after the remembered position, until there are none."""
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        while rows := connection.execute(ROWS, (*recall(position), BATCH)).fetchall():
            yield rows


def change_of(row: sqlite3.Row) -> Question | Deletion:
    """A row as the archive takes it."""
    if row["deleted"]:
        return Deletion(str(row["id"]))
    return Question(
        id=str(row["id"]),
        title=row["title"] or "",
        body=row["body"] or "",
        tags=tuple((row["tags"] or "").split()),
        created=row["created_at"] or "",
        url=row["url"] or "",
        answer=row["answer"] or "",
    )


def recall(position: Path) -> tuple[str, int]:
    """The time and id of the last row that was sent."""
    if not position.exists():
        return "", 0
    updated_at, id = json.loads(position.read_text())
    return updated_at, id


def remember(position: Path, row: sqlite3.Row) -> None:
    """All or nothing, even if the power fails meanwhile."""
    unfinished = position.with_name(f"{position.name}.part")
    unfinished.write_text(json.dumps([row["updated_at"], row["id"]]))
    unfinished.replace(position)


if __name__ == "__main__":
    main()
