"""A view of vectors after SIGKILL in the middle of encoding, and while other processes save."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fresh_vectors import difference
from word_model import WordModel

from askagain.archive import Archive
from askagain.neighbours.view import VectorView
from askagain.question import Question

ENCODE = """
import sys
from askagain.archive import Archive
from askagain.neighbours.view import VectorView
from word_model import WordModel
VectorView.open(
    Archive.open(sys.argv[1]), WordModel(pause=0.01), progress=lambda done, total: print(done, flush=True)
)
"""

CHANGE_AND_SAVE = """
import sys
from askagain.archive import Archive
from askagain.neighbours.view import VectorView
from askagain.question import Question
from word_model import WordModel
with Archive.open(sys.argv[1], wait_seconds=60) as archive:
    for round in range(8):
        archive.put_many(Question(f"boot {n}", id=f"{sys.argv[2]} {n}") for n in range(round * 7))
        archive.delete(f"{sys.argv[2]} {round}")
        with VectorView.open(archive, WordModel()) as live:
            archive.put(Question("usb", id=f"{sys.argv[2]} usb {round}"))
            [hits] = live.search(live.model.queries("usb"), 1)
            print(archive.question_of(int(hits.numbers[0])).title, flush=True)
"""


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.parametrize("batches", [11, 17])
def test_a_killed_process_has_encoded_all_but_a_chunk_for_the_next(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, batches: int
) -> None:
    path, count = tmp_path / "forum.db", 10_000
    with Archive.open(path) as archive:
        archive.put_many(Question(f"boot {number % 500}", id=str(number)) for number in range(count))
        with start(ENCODE, str(path)) as encoder:
            assert encoder.stdout is not None
            done = [int(encoder.stdout.readline()) for _ in range(batches)][-1]
            encoder.kill()
        live = VectorView.open(archive, WordModel())
        assert live.model.encoded <= count - done + 5000
        assert difference(live, ("boot 7", "usb", "")) is None
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_two_processes_keep_their_hands_off_each_others_files(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "forum.db"
    Archive.open(path).close()
    processes = [start(CHANGE_AND_SAVE, str(path), name) for name in ("first", "second")]
    printed = [process.communicate(timeout=120)[0] for process in processes]
    assert printed == ["usb\n" * 8] * 2
    with Archive.open(path) as archive:
        live = VectorView.open(archive, WordModel())
        assert live.model.encoded < len(archive)
        assert difference(live) is None
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
