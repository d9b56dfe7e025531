"""Threads and processes that use one archive at the same time."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import processes
import pytest

from askagain.archive import Archive
from askagain.errors import ArchiveBusyError
from askagain.question import Question

INCREMENT = """
with Archive.open(path) as archive:
    for _ in range(50):
        with archive.transaction():
            count = int(archive.get("counter").title)
            archive.put(Question(id="counter", title=str(count + 1)))
"""

LONG_WRITE = """
with Archive.open(path) as archive, archive.transaction():
    archive.put_many(Question(id=f"q{number}", title="new") for number in range(500))
    print("half", flush=True)
    sys.stdin.readline()
    archive.put_many(Question(id=f"q{number}", title="new") for number in range(500, 1000))
"""


def increment(archive: Archive) -> None:
    with archive.transaction():
        counter = archive.get("counter")
        assert counter is not None
        archive.put(Question(id="counter", title=str(int(counter.title) + 1)))


def count(archive: Archive) -> int:
    counter = archive.get("counter")
    assert counter is not None
    return int(counter.title)


def test_no_increment_of_two_processes_is_lost(archive: Archive) -> None:
    archive.add(Question(id="counter", title="0"))
    writers = [processes.start(INCREMENT, archive.path) for _ in range(2)]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    assert count(archive) == 100
    assert archive.sequence.seq == 101


def test_no_increment_of_several_threads_is_lost(archive: Archive) -> None:
    archive.add(Question(id="counter", title="0"))
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(increment, archive) for _ in range(100)]:
            done.result()
    assert count(archive) == 100


def test_a_reader_sees_all_of_another_process_write_or_nothing_and_does_not_wait(archive: Archive) -> None:
    archive.put_many(Question(id=f"q{number}", title="old") for number in range(1000))
    with processes.start(LONG_WRITE, archive.path) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "half\n"
        started = time.monotonic()
        assert {question.title for question in archive.questions()} == {"old"}
        assert time.monotonic() - started < 2
        writer.communicate("go on\n", timeout=60)
    assert {question.title for question in archive.questions()} == {"new"}


def test_a_busy_archive_says_who_and_how_long_instead_of_database_is_locked(archive: Archive) -> None:
    with processes.start(LONG_WRITE, archive.path) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        with Archive.open(archive.path, wait_seconds=0.2) as impatient:
            message = r"another process is writing to .*forum\.db; waited 0\.2 s; try again or wait"
            with pytest.raises(ArchiveBusyError, match=message):
                impatient.add(Question(id="new", title="t"))
        writer.communicate("go on\n", timeout=60)


def test_a_patient_writer_gets_its_turn(archive: Archive) -> None:
    with processes.start(LONG_WRITE, archive.path) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()
        threading.Timer(0.3, writer.stdin.close).start()
        archive.add(Question(id="patient", title="t"))
    assert len(archive) == 1001


def test_a_thread_that_writes_for_too_long_is_reported_as_a_thread(path: Path) -> None:
    with (
        Archive.open(path, wait_seconds=0.1) as archive,
        ThreadPoolExecutor(1) as other,
        archive.transaction(),
    ):
        writing = other.submit(archive.add, Question(id="new", title="t"))
        with pytest.raises(ArchiveBusyError, match="another thread is writing"):
            writing.result()


def test_another_thread_sees_only_what_is_committed(archive: Archive) -> None:
    with ThreadPoolExecutor(1) as other, archive.transaction():
        archive.add(Question(id="new", title="t"))
        assert not other.submit(archive.__contains__, "new").result()


def test_a_reader_of_another_process_can_close_while_we_go_on(archive: Archive) -> None:
    archive.add(Question(id="one", title="t"))
    assert processes.run("print(len(Archive.open(path)))", archive.path) == "1"
    archive.add(Question(id="two", title="t"))
    assert processes.run("print(len(Archive.open(path)))", archive.path) == "2"
