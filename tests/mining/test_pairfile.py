"""The file of likely pairs: what is trusted, what is thrown away, and who may write."""

import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from overlap_ranker import OverlapRanker, engine_of, finish, known, mined_in_memory

from askagain import Archive, Engine, Match, Question
from askagain.mining.pairfile import PairFile
from askagain.mining.pairs import LikelyPairs, Page, Progress
from support import AS_ANYBODY


@pytest.fixture
def path(archive: Archive, pairs: LikelyPairs) -> Path:
    """The file of pairs that were searched to the end."""
    finish(pairs)
    [path] = archive.path.parent.glob("forum.db.*.pairs")
    return path


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def is_built_anew(engine: Engine, path: Path) -> bool:
    """Opens the pairs and catches up; whether everything was searched for again, and rightly."""
    pairs = LikelyPairs.open(engine, path)
    finish(pairs)
    assert known(pairs) == mined_in_memory(engine.archive)
    return isinstance(engine.ranker, OverlapRanker) and len(engine.ranker.asked) == len(engine.archive)


def test_what_is_trusted_is_not_searched_for_again(
    path: Path, archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    assert not is_built_anew(engine_of(archive), path)
    assert warnings(caplog) == []


def _fill_with_garbage(path: Path) -> None:
    path.write_bytes(b"garbage " * 1000)


def _cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _spoil_a_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(os.urandom(4096))


def _set_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def _lose_the_state(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM state")


def _put_another_database_there(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE pairs (first, second)")


@pytest.mark.parametrize(
    "damage",
    [
        _fill_with_garbage,
        _cut_in_half,
        _spoil_a_page,
        _set_version,
        _lose_the_state,
        _put_another_database_there,
    ],
)
def test_what_cannot_be_trusted_is_built_anew(
    path: Path, archive: Archive, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    damage(path)

    assert is_built_anew(engine_of(archive), path)
    assert [line for line in warnings(caplog) if line.endswith("searching for all questions anew")]


def test_pairs_of_another_system_are_built_anew(path: Path, archive: Archive) -> None:
    class Retrained(OverlapRanker):
        threshold = 0.6

    assert is_built_anew(engine_of(archive, Retrained(archive)), path)


def test_pairs_of_another_history_are_not_told_and_built_anew(path: Path, archive: Archive) -> None:
    archive.close()
    for file in archive.path.parent.glob("forum.db*"):
        if file.name in ("forum.db", "forum.db-wal", "forum.db-shm"):
            file.unlink()
    with Archive.open(archive.path) as other:
        other.put_many(Question(id=str(number), title="sticky rice") for number in range(5))
        engine = engine_of(other)

        assert LikelyPairs.open(engine, path).page(0.0, 10) == Page((), None)
        assert is_built_anew(engine, path)


def _spoil_a_text(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE questions SET id = CAST(x'ff' AS TEXT) WHERE number = 1")


@pytest.mark.parametrize("damage", [_fill_with_garbage, _spoil_a_text])
def test_damage_that_is_met_while_reading_is_no_error_and_is_repaired(
    path: Path, archive: Archive, pairs: LikelyPairs, damage: Callable[[Path], None]
) -> None:
    damage(path)

    assert pairs.page(0.0, 10) == Page((), None)
    assert pairs.progress() == Progress(0, 5)
    finish(pairs)
    assert known(pairs) == mined_in_memory(archive)


def test_a_file_that_disappears_is_made_again(path: Path, archive: Archive, pairs: LikelyPairs) -> None:
    path.unlink()
    finish(pairs)
    assert known(pairs) == mined_in_memory(archive)


OPEN = """
import logging, sys
from askagain import Archive
from overlap_ranker import engine_of, finish, known
from askagain.mining.pairs import LikelyPairs
engine = engine_of(Archive.open(sys.argv[1]))
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
pairs = LikelyPairs.open(engine)
finish(pairs, 2)
print(len(known(pairs)), "pairs")
"""


def test_in_a_read_only_folder_the_pairs_are_kept_in_memory(archive: Archive) -> None:
    archive.close()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(archive.path, folder)
        (folder / "forum.db").chmod(0o444)
        folder.chmod(0o555)
        code = [*AS_ANYBODY, sys.executable, "-c", OPEN, str(folder / "forum.db")]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        printed = subprocess.run(
            code, check=True, timeout=120, capture_output=True, text=True, env=environment
        ).stdout
        assert [file.name for file in folder.iterdir()] == ["forum.db"]
        folder.chmod(0o755)
    assert "cannot be written: Permission denied: the next start has to search anew" in printed
    assert printed.endswith("4 pairs\n")


def test_pairs_in_memory_follow_the_archive(archive: Archive) -> None:
    pairs = LikelyPairs.open(engine_of(archive), Path("/dev/null/no folder"))
    finish(pairs, 2)
    archive.delete("usb")
    finish(pairs)

    assert known(pairs) == mined_in_memory(archive)


def test_pairs_in_memory_begin_anew_with_another_history(archive: Archive, tmp_path: Path) -> None:
    pairs = LikelyPairs.open(engine_of(archive), Path("/dev/null/no folder"))
    finish(pairs)
    with sqlite3.connect(archive.path) as connection:
        connection.execute("UPDATE commits SET token = 'another'")
    connection.close()
    finish(pairs)

    assert known(pairs) == mined_in_memory(archive)


def test_one_of_two_builds_and_the_other_only_looks(tmp_path: Path) -> None:
    file, other = PairFile(tmp_path / "x.pairs"), PairFile(tmp_path / "x.pairs")
    with file.building() as ours, other.building() as theirs:
        assert (ours, theirs) == (True, False)
    with other.building() as theirs:
        assert theirs


@pytest.mark.parametrize("path", [None, Path("/dev/null/no folder")], ids=["file", "memory"])
def test_while_one_thread_searches_others_read_and_do_not_search(archive: Archive, path: Path | None) -> None:
    class Slow(OverlapRanker):
        begun, go_on = threading.Event(), threading.Event()

        def search(self, question: Question, k: int = 10) -> list[Match]:
            if question.id == "usb":
                self.begun.set()
                assert self.go_on.wait(60)
            return super().search(question, k)

    ranker = Slow(archive)
    pairs = LikelyPairs.open(engine_of(archive, ranker), path)
    pairs.catch_up(2)
    before = known(pairs)
    searcher = threading.Thread(target=pairs.catch_up, args=(2,))
    searcher.start()
    assert ranker.begun.wait(60)
    seen = (pairs.catch_up(2), known(pairs), list(ranker.asked))
    ranker.go_on.set()
    searcher.join()

    assert seen == (Progress(2, 5), before, ["boot", "start"])
    assert pairs.progress() == Progress(4, 5)
