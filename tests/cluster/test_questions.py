"""The questions of all shards, as those of an archive."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import FORUM

from askagain import Question
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import numbered
from askagain.cluster.near import NearShards
from askagain.cluster.questions import ShardedQuestions
from askagain.cluster.shards import Shards, opened


@pytest.fixture
def shards(cluster: ClusterFolder, copies: Path) -> Iterator[Shards]:
    with opened(cluster, cluster.current, NearShards(cluster, cluster.current, copies)) as shards:
        yield shards


@pytest.fixture
def questions(shards: Shards) -> ShardedQuestions:
    return ShardedQuestions(Path("anywhere"), shards)


def test_they_are_found_by_number(questions: ShardedQuestions) -> None:
    assert questions.by_numbers([30, 1, 31]) == {1: FORUM[0], 30: FORUM[29]}


def test_they_are_found_by_id(questions: ShardedQuestions) -> None:
    ids = [question.id for question in FORUM]

    assert questions.get_many([*ids, "unknown", "a/b", "\ud800", "\0", ""]) == dict(
        zip(ids, FORUM, strict=True)
    )
    assert questions.numbers(ids) == dict(zip(ids, range(1, 31), strict=True))


def test_one_is_found_by_its_id(questions: ShardedQuestions) -> None:
    assert questions.get("wipe-3") == next(question for question in FORUM if question.id == "wipe-3")
    assert questions.get("unknown") is None


def test_nothing_is_asked_for_nothing(questions: ShardedQuestions) -> None:
    assert questions.get_many([]) == {}
    assert questions.by_numbers([]) == {}


def test_they_are_counted(questions: ShardedQuestions) -> None:
    assert len(questions) == 30


def test_their_sequence_is_the_position_of_the_log(questions: ShardedQuestions, shards: Shards) -> None:
    assert questions.sequence.seq == 0

    shards.write(lambda number: numbered([Question(id="new", title="New")], number))
    shards.catch_up()

    assert questions.sequence.seq == 1
    assert questions.by_numbers([31])[31].id == "new"
