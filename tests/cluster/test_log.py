"""The log: durable, in one order, whoever writes and whenever a writer dies."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain import Question
from askagain.cluster.log import Delete, Entry, Put, WriteLog, numbered
from askagain.errors import ClusterError

WRITER = Path(__file__).with_name("log_writer.py")
ENDLESS = -1


@pytest.fixture
def log(tmp_path: Path) -> WriteLog:
    return WriteLog(tmp_path / "log")


def entry(position: int, *ids: str) -> Entry:
    return Entry(position, position, tuple(Delete(id) for id in ids or ("any",)))


def filled(log: WriteLog, last: int) -> None:
    for position in range(1, last + 1):
        assert log.append(entry(position))


def writer(log: WriteLog, name: str, most: int = ENDLESS) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(log.folder), name, str(most)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_an_entry_is_read_as_it_was_written(log: WriteLog) -> None:
    question = Question(id="a/b", title="t", body="b", tags=("x", "y"), created="2020", url="u", answer="a")
    written = Entry(1, 8, (Put(7, question), Delete("gone")))

    assert log.append(written)

    assert log.read(1) == written


@given(st.text(st.characters(), max_size=50))
def test_any_text_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    log = WriteLog(tmp_path_factory.mktemp("log"))
    written = Entry(1, 2, (Put(1, Question(id="1", title=text, body="\ud800\0\u200b", tags=(text,))),))

    log.append(written)

    assert log.read(1) == written


def test_a_huge_question_is_read_as_it_was_written(log: WriteLog) -> None:
    written = Entry(1, 2, (Put(1, Question(id="1", title="t", body="é" * 5_000_000)),))

    log.append(written)

    assert log.read(1) == written


def test_of_two_entries_for_a_position_the_second_is_refused(log: WriteLog) -> None:
    assert log.append(entry(1, "first"))
    assert not log.append(entry(1, "second"))

    assert log.read(1) == entry(1, "first")
    assert [path.name for path in log.folder.rglob("*") if path.is_file()] == ["000000000001.json"]


def test_entries_after_a_position_come_in_order(log: WriteLog) -> None:
    filled(log, 5)

    assert [each.position for each in log.after(2)] == [3, 4, 5]
    assert list(log.after(5)) == []
    assert log.end(0) == log.end(4) == 5


def test_a_log_may_be_empty(log: WriteLog) -> None:
    assert log.end(0) == 0
    assert list(log.after(0)) == []


def test_positions_go_on_over_many_folders(log: WriteLog) -> None:
    for position in (9_999, 10_000, 10_001):
        log.append(entry(position))

    assert log.end(9_998) == 10_001
    assert len(list(log.folder.iterdir())) == 2


def test_puts_are_numbered_one_after_the_other() -> None:
    questions = [Question(id="a", title="a"), Question(id="b", title="b")]

    assert numbered(questions, 5) == [Put(5, questions[0]), Put(6, questions[1])]


# Damage


@pytest.mark.parametrize(("old", "new"), [(b"any", b"anx"), (b"}", b""), (b"1", b"2")])
def test_a_damaged_entry_is_refused(log: WriteLog, old: bytes, new: bytes) -> None:
    filled(log, 1)
    [path] = log.folder.glob("*/*.json")
    path.write_bytes(path.read_bytes().replace(old, new))

    with pytest.raises(ClusterError, match=r"000000000001\.json is damaged: restore it"):
        log.read(1)


def test_an_empty_file_is_no_entry(log: WriteLog) -> None:
    filled(log, 1)
    [path] = log.folder.glob("*/*.json")
    path.write_bytes(b"")

    with pytest.raises(ClusterError, match="is damaged"):
        log.read(1)


def test_an_entry_that_is_not_there_is_an_error_in_a_line(log: WriteLog) -> None:
    with pytest.raises(ClusterError, match="entry 3 of the log cannot be read"):
        log.read(3)


def test_a_folder_that_cannot_be_written_is_an_error_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file")

    with pytest.raises(ClusterError, match="cannot write to the log"):
        WriteLog(tmp_path / "log").append(entry(1))


# Writers that race


def test_threads_that_race_lose_nothing(log: WriteLog) -> None:
    def write(name: str) -> None:
        position = 0
        for number in range(25):
            while not log.append(entry(position + 1, f"{name}-{number}")):
                position = log.end(position)
            position += 1

    threads = [threading.Thread(target=write, args=(str(name),)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    written = [write.id for each in log.after(0) for write in each.writes]
    assert sorted(written) == sorted(f"{name}-{number}" for name in range(4) for number in range(25))


def test_processes_that_race_lose_nothing(log: WriteLog) -> None:
    writers = [writer(log, str(name), 50) for name in range(3)]
    acknowledged = [int(line) for each in writers for line in each.communicate(timeout=60)[0].split()]

    assert sorted(acknowledged) == list(range(1, 151))
    written = [write.id for each in log.after(0) for write in each.writes]
    assert sorted(written) == sorted(f"{name}-{number}" for name in range(3) for number in range(50))


@pytest.mark.parametrize("lines", [1, 2, 20, 21, 50])
def test_a_writer_that_is_killed_has_lost_nothing_and_leaves_nothing_half_there(
    log: WriteLog, lines: int
) -> None:
    process = writer(log, "killed")
    assert process.stdout is not None
    acknowledged = [int(process.stdout.readline()) for _ in range(lines)]
    os.kill(process.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in process.stdout]
    process.wait()

    there = list(log.after(0))
    assert [each.position for each in there] == list(range(1, len(there) + 1))
    assert acknowledged == list(range(1, len(acknowledged) + 1))
    # One may be durable that nobody could be told of.
    assert len(acknowledged) <= len(there) <= len(acknowledged) + 1
    assert log.append(entry(len(there) + 1))


# Forgetting


def test_what_is_forgotten_is_gone_and_the_rest_stays(log: WriteLog) -> None:
    filled(log, 5)

    assert log.forget(3) == 3

    assert [each.position for each in log.after(3)] == [4, 5]
    with pytest.raises(ClusterError, match="entry 3 of the log cannot be read"):
        log.read(3)


def test_who_was_away_while_the_log_was_forgotten_finds_its_end(log: WriteLog) -> None:
    filled(log, 5)
    log.forget(3)

    assert log.end(0) == log.end(2) == 5


def test_all_may_be_forgotten(log: WriteLog) -> None:
    filled(log, 5)
    log.forget(5)

    assert log.end(0) == 5


def test_a_forgotten_position_is_not_given_again(log: WriteLog) -> None:
    filled(log, 5)
    log.forget(3)

    assert not log.append(entry(1, "of one who was away"))
    assert not log.has(1)


def test_what_was_forgotten_once_stays_so(log: WriteLog) -> None:
    filled(log, 5)
    log.forget(4)

    assert log.forget(2) == 0
    assert not log.append(entry(4))
