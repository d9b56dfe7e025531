"""The sample forum."""

from pathlib import Path

import pytest

from askagain import Archive, Verdict
from askagain.sample import forum


def test_every_topic_has_questions() -> None:
    topics = [question.id.rsplit("-", 1)[0] for question in forum.questions()]

    assert sorted(set(topics)) == sorted(forum.TOPICS)
    assert min(topics.count(topic) for topic in forum.TOPICS) > 80


@pytest.mark.parametrize("verdict", Verdict)
def test_every_mark_names_two_questions_of_the_forum(verdict: Verdict) -> None:
    ids = {question.id for question in forum.questions()}
    marks = [mark for mark in forum.marks() if mark.verdict is verdict]

    assert len(marks) > 100
    assert all({mark.first, mark.second} <= ids for mark in marks)


def test_no_pair_is_marked_both_ways() -> None:
    pairs = [frozenset((mark.first, mark.second)) for mark in forum.marks()]

    assert len(set(pairs)) == len(pairs)


def test_it_can_be_loaded_twice(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "forum.db") as archive:
        forum.load_into(archive)
        before = archive.sequence
        forum.load_into(archive)

        assert len(archive) == len(forum.questions())
        assert len(list(archive.marks())) == len(forum.marks())
        assert archive.sequence == before
