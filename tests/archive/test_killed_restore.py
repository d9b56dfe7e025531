"""A restore killed with SIGKILL on its way: the archive is the old one or the new one, nothing between."""

import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import processes
import pytest
from crashing import check_file

from askagain.archive import Archive
from askagain.archive.backup import back_up, restore
from askagain.question import Question

KILLS = 5
LONGEST_DELAY = 0.25

RESTORE = """
from pathlib import Path
from askagain.archive.backup import restore
print("begins", flush=True)
restore(Path(path).with_name("backup.db"), Path(path), replace=True)
"""

RESTORE_HALF = """
from pathlib import Path
from askagain.archive.backup import restore

def stop(done, total):
    if done < total:
        print("half", flush=True)
        sys.stdin.readline()

restore(Path(path).with_name("backup.db"), Path(path), replace=True, progress=stop)
"""


def fill(archive: Archive, word: str) -> None:
    chance = random.Random(word)
    archive.put_many(
        Question(id=f"q{number}", title=word, body=f"{chance.random()} " * 2000) for number in range(300)
    )


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an old archive, part of which is only in its log, and a backup of another state of it."""
    folder = tmp_path_factory.mktemp("prepared")
    with Archive.open(folder / "forum.db") as archive:
        fill(archive, "new")
        back_up(archive.path, folder / "backup.db")
    with Archive.open(folder / "forum.db") as archive:
        fill(archive, "old")
        for name in ("forum.db", "forum.db-wal"):
            shutil.copy(folder / name, folder / f"crashed-{name}")
    for name in ("forum.db", "forum.db-wal"):
        (folder / f"crashed-{name}").rename(folder / name)
    return folder


@pytest.fixture
def archive_path(prepared: Path, tmp_path: Path) -> Path:
    return renew(prepared, tmp_path)


def renew(prepared: Path, folder: Path) -> Path:
    for path in folder.glob("forum.db*"):
        path.unlink()
    for path in prepared.iterdir():
        shutil.copy(path, folder)
    return folder / "forum.db"


def state_of(path: Path) -> set[str]:
    """The one word that all titles are."""
    with Archive.open(path, create=False) as archive:
        assert len(archive) == 300
        return {question.title for question in archive.questions()}


def test_without_a_kill_the_new_one_is_there(archive_path: Path) -> None:
    assert state_of(archive_path) == {"old"}
    restore(archive_path.with_name("backup.db"), archive_path, replace=True)
    assert state_of(archive_path) == {"new"}


def test_a_kill_in_the_middle_leaves_the_old_one(archive_path: Path) -> None:
    with processes.start(RESTORE_HALF, archive_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half\n"
        process.send_signal(signal.SIGKILL)
    assert state_of(archive_path) == {"old"}
    check_file(archive_path)


def test_a_kill_at_any_time_leaves_one_of_them(prepared: Path, tmp_path: Path) -> None:
    chance = random.Random(1)
    for _ in range(KILLS):
        path = renew(prepared, tmp_path)
        with processes.start(RESTORE, path) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0, LONGEST_DELAY))
            process.send_signal(signal.SIGKILL)
        assert state_of(path) in ({"old"}, {"new"})
        check_file(path)


def test_a_kill_while_the_new_one_is_being_written_leaves_one_of_them(prepared: Path, tmp_path: Path) -> None:
    chance = random.Random(2)
    for _ in range(KILLS):
        path = renew(prepared, tmp_path)
        with processes.start(RESTORE, path) as process:
            wait_for_growth(path.with_name("forum.db-wal"))
            time.sleep(chance.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
        assert state_of(path) in ({"old"}, {"new"})
        check_file(path)


def wait_for_growth(log: Path) -> None:
    before, deadline = log.stat().st_size, time.monotonic() + 60
    # Once everything is in the archive, the log is gone.
    with suppress(FileNotFoundError):
        while log.stat().st_size == before and time.monotonic() < deadline:
            pass


def test_a_killed_restore_to_a_new_file_leaves_no_archive(archive_path: Path) -> None:
    new = archive_path.with_name("new.db")
    with processes.start(RESTORE_HALF, new) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half\n"
        process.send_signal(signal.SIGKILL)
    assert not new.exists()
    restore(archive_path.with_name("backup.db"), new)
    assert state_of(new) == {"new"}
