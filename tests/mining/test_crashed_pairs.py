"""Likely pairs after SIGKILL of the process that searches, and while several processes search."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from overlap_ranker import OverlapRanker, engine_of, finish, known, mined_in_memory

from askagain import Archive, Question
from askagain.mining.pairs import LikelyPairs, Progress

WORDS = [f"word{number}" for number in range(40)]

SEARCH_STEP_BY_STEP = """
import sys
from askagain import Archive
from overlap_ranker import engine_of
from askagain.mining.pairs import LikelyPairs
pairs = LikelyPairs.open(engine_of(Archive.open(sys.argv[1])))
print("searching", flush=True)
while (progress := pairs.catch_up(int(sys.argv[2]))).done < progress.total:
    pass
print("done", flush=True)
"""

SEARCH_FOR_EVER = """
import sys, time
from askagain import Archive
from overlap_ranker import OverlapRanker, engine_of
from askagain.mining.pairs import LikelyPairs

class Stuck(OverlapRanker):
    def search(self, question, k=10):
        print("searching", flush=True)
        time.sleep(600)

archive = Archive.open(sys.argv[1])
LikelyPairs.open(engine_of(archive, Stuck(archive))).catch_up(10)
"""


@pytest.fixture
def forum(tmp_path: Path) -> Iterator[Archive]:
    chance = random.Random(1)
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(
            Question(id=f"q{number}", title=" ".join(chance.sample(WORDS, chance.randrange(1, 9))))
            for number in range(200)
        )
        yield archive


def searching(code: str, path: Path, step: int = 1) -> "subprocess.Popen[bytes]":
    """A process that has begun to search."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(step)],
        stdout=subprocess.PIPE,
        env=environment,
        bufsize=0,  # what follows the first line is left to others
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"searching\n"
    return process


def test_after_kills_the_pairs_are_those_of_an_uninterrupted_search(
    forum: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    pairs = LikelyPairs.open(engine_of(forum))
    seen = [0]
    for seed in range(3):
        with searching(SEARCH_STEP_BY_STEP, forum.path) as process:
            time.sleep(random.Random(seed).uniform(0.05, 0.2))
            process.kill()
        seen.append(pairs.progress().done)
    interrupted = seen[-1]
    finish(pairs, 7)

    assert seen == sorted(seen)
    assert 0 < interrupted < 200
    assert known(pairs) == mined_in_memory(forum)
    assert caplog.records == []


def test_two_processes_that_search_at_once_find_what_one_finds(forum: Archive) -> None:
    with (
        searching(SEARCH_STEP_BY_STEP, forum.path, step=20) as one,
        searching(SEARCH_STEP_BY_STEP, forum.path, step=15) as other,
    ):
        printed = [process.communicate(timeout=120)[0] for process in (one, other)]

    assert printed == [b"done\n", b"done\n"]
    assert known(LikelyPairs.open(engine_of(forum))) == mined_in_memory(forum)


def test_while_another_process_searches_we_only_look_and_take_over_when_it_dies(
    archive: Archive, pairs: LikelyPairs, ranker: OverlapRanker
) -> None:
    with searching(SEARCH_FOR_EVER, archive.path) as process:
        assert pairs.catch_up(10) == Progress(0, 5)
        assert ranker.asked == []
        process.kill()

    assert pairs.catch_up(10) == Progress(5, 5)
