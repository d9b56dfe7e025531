"""A view after SIGKILL of its archive's writer, 200 times in benchmarks/crash.py, or of itself."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "archive"))

from crashing import crash
from following import LexicalFollower
from fresh import difference

from askagain.archive import Archive
from askagain.lexical.view import LexicalView

SAVE_FOR_EVER = """
import sys
from askagain.archive import Archive
from askagain.lexical.view import LexicalView
from askagain.question import Question
archive = Archive.open(sys.argv[1])
archive.put_many(Question(id=str(number), title=f"boot {number}") for number in range(2000))
view = LexicalView.open(archive)
print("saving", flush=True)
while True:
    view.save()
"""


def test_a_saved_view_catches_up_after_every_kill_of_a_writer(tmp_path: Path) -> None:
    follower = LexicalFollower()
    run = crash(tmp_path, kills=20, seed=2, check_view=follower)
    assert run.acknowledged > 20
    assert follower.loaded > 10


def test_a_kill_while_the_index_is_saved_leaves_no_half_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "forum.db"
    for seed in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", SAVE_FOR_EVER, str(path)], stdout=subprocess.PIPE
        ) as saver:
            assert saver.stdout is not None
            assert saver.stdout.readline() == b"saving\n"
            time.sleep(random.Random(seed).uniform(0, 0.05))
            saver.kill()
        with Archive.open(path) as archive:
            assert difference(LexicalView.open(archive), [["boot", "7"]]) is None
    assert caplog.records == []
