"""The synchronisation with a forum's own database, run as a process, with the real service."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from askagain.client import Client, NotFoundError
from askagain.question import Question
from running_service import RunningService

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "sync_database.py"
TABLE = """
CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT, body TEXT, tags TEXT, created_at TEXT,
                    updated_at TEXT, url TEXT, answer TEXT, deleted INTEGER DEFAULT 0)
"""


class Forum:
    """A forum's database, and what keeps the archive in step with it."""

    def __init__(self, folder: Path, service: RunningService, archive: Client) -> None:
        self.position = folder / "position.json"
        self._database = folder / "forum #1.sqlite"
        self._service = service
        self.archive = archive
        self.do(TABLE)

    def do(self, statement: str, *values: object) -> None:
        with closing(sqlite3.connect(self._database)) as connection, connection:
            connection.execute(statement, values)

    def post(
        self, id: int, title: str = "Where do tabs go?", updated_at: str = "2024-05-01 12:00:00"
    ) -> None:
        row = "INSERT OR REPLACE INTO posts (id, title, updated_at) VALUES (?, ?, ?)"
        self.do(row, id, title, updated_at)

    def sync(self, url: str | None = None) -> subprocess.CompletedProcess[str]:
        settings = {"ASKAGAIN_URL": url or self._service.url, "ASKAGAIN_KEY": self._service.writer}
        command = [sys.executable, str(EXAMPLE), str(self._database), str(self.position)]
        return subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=60)

    def title(self, id: int) -> str | None:
        try:
            return self.archive.get(str(id)).question.title
        except NotFoundError:
            return None


@pytest.fixture
def forum(tmp_path: Path, archive_service: RunningService) -> Iterator[Forum]:
    with archive_service.writing() as client:
        yield Forum(tmp_path, archive_service, client)


def test_rows_become_questions(forum: Forum) -> None:
    row = "INSERT INTO posts VALUES (1001, ?, ?, ?, ?, '2024-05-01 12:00:00', ?, ?, 0)"
    forum.do(
        row, "Tabs?", "<p>Gone</p>", "browser tabs", "2024-04-01", "https://forum.example.org/1001", "Ctrl+T"
    )

    done = forum.sync()

    assert done.stdout == "1 added, 0 changed, 0 deleted\n", done.stderr
    assert forum.archive.get("1001").question == Question(
        id="1001",
        title="Tabs?",
        body="<p>Gone</p>",
        tags=("browser", "tabs"),
        created="2024-04-01",
        url="https://forum.example.org/1001",
        answer="Ctrl+T",
    )


def test_the_next_time_only_what_is_new_changed_or_deleted_is_sent(forum: Forum) -> None:
    for id in (1101, 1102, 1103):
        forum.post(id)
    forum.sync()
    forum.post(1102, "Edited", "2024-05-01 12:00:01")
    forum.post(1103, updated_at="2024-05-01 12:00:02")
    forum.do("UPDATE posts SET deleted = 1 WHERE id = 1103")
    forum.post(1104, updated_at="2024-05-01 12:00:02")

    again = forum.sync()

    assert again.stdout == "1 added, 1 changed, 1 deleted\n"
    assert [forum.title(id) for id in (1102, 1103)] == ["Edited", None]
    assert forum.sync().stdout == ""


def test_it_goes_on_where_it_was_stopped(forum: Forum) -> None:
    forum.post(1201, updated_at="2024-05-01 12:00:00")
    forum.post(1202, updated_at="2024-05-01 12:00:00")
    forum.position.write_text(json.dumps(["2024-05-01 12:00:00", 1201]))

    forum.sync()

    assert [forum.title(id) for id in (1201, 1202)] == [None, "Where do tabs go?"]


def test_what_is_more_than_one_batch_arrives_completely(forum: Forum) -> None:
    forum.do(
        "WITH RECURSIVE n(id) AS (SELECT 2001 UNION ALL SELECT id + 1 FROM n WHERE id < 2600) "
        "INSERT INTO posts (id, title, updated_at) SELECT id, 'Question ' || id, '2024-05-01 12:00:00' FROM n"
    )

    assert forum.sync().stdout.splitlines() == [
        "500 added, 0 changed, 0 deleted",
        "100 added, 0 changed, 0 deleted",
    ]


def test_a_row_that_the_service_refuses_is_named_and_the_others_arrive(forum: Forum) -> None:
    forum.post(1301, "x" * 2_000)
    forum.post(1302)

    done = forum.sync()

    assert done.stderr.startswith("question 1301: ")
    assert forum.title(1302) == "Where do tabs go?"


def test_rows_of_the_last_seconds_wait_for_the_next_time(forum: Forum) -> None:
    forum.do("INSERT INTO posts (id, title, updated_at) VALUES (1401, 'New', datetime('now'))")

    forum.sync()

    assert forum.title(1401) is None
    assert not forum.position.exists()


def test_without_the_service_nothing_is_remembered(forum: Forum) -> None:
    forum.post(1501)

    done = forum.sync(url="http://127.0.0.1:9")

    assert done.returncode == 1
    assert done.stderr.startswith("stopped, and goes on there next time: ")
    assert not forum.position.exists()
    assert forum.sync().stdout == "1 added, 0 changed, 0 deleted\n"
