"""Other processes that search, too."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from overlap_ranker import known, mined_in_memory

from askagain import Archive, Engine, Question
from askagain.mining.following import follow
from askagain.mining.helpers import SearchHelpers
from askagain.mining.pairs import LikelyPairs, likely_matches


@pytest.fixture
def helpers(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchHelpers]:
    # Other tests of this process may have loaded torch; nothing here uses it.
    monkeypatch.setattr("askagain.mining.helpers.can_be_forked", lambda: True)
    with SearchHelpers(engine, cores=3) as helpers:
        yield helpers


def children() -> list[int]:
    pid = os.getpid()
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_every_question_gets_its_own_matches(
    helpers: SearchHelpers, engine: Engine, archive: Archive, count: int
) -> None:
    questions = list(archive.questions())[:count]

    assert helpers(questions) == likely_matches(engine.ranker, questions)


def test_what_is_written_meanwhile_is_found(helpers: SearchHelpers, archive: Archive) -> None:
    asked = Question(id="x", title="zirconium teapot")
    assert helpers([asked, asked, asked]) == [[], [], []]

    archive.put(Question(id="new", title="zirconium teapot"))

    assert [[match.id for match in found] for found in helpers([asked, asked, asked])] == [["new"]] * 3


def test_a_helper_that_dies_is_done_without(
    engine: Engine, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askagain.mining.helpers.can_be_forked", lambda: True)
    before = children()
    with SearchHelpers(engine, cores=3) as helpers:
        killed, _ = sorted(set(children()) - set(before))
        os.kill(killed, signal.SIGKILL)
        questions = list(archive.questions())
        for _ in range(2):
            assert helpers(questions) == likely_matches(engine.ranker, questions)
    assert not set(children()) - set(before)


def test_pairs_are_the_same_with_helpers(
    helpers: SearchHelpers, pairs: LikelyPairs, archive: Archive
) -> None:
    pairs.search_with(helpers)
    follow(pairs)

    assert known(pairs) == mined_in_memory(archive)


def test_without_forks_one_process_searches(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askagain.mining.helpers.can_be_forked", lambda: False)
    before = children()
    with SearchHelpers(engine, cores=3) as alone:
        assert children() == before
        assert alone([Question(id="x", title="usb")])[0]
