"""Resampled questions: as many as wanted, the same every time, and in all that matters like the real ones."""

import re
import statistics
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from askagain.question import Question
from resample import real_questions, resample

FORUM = [
    Question(id="1", title="How do I boot from USB?", body="It hangs. I see a black screen!", tags=("boot",)),
    Question(id="2", title="No sound after update", body="The sound was fine before. Now it is gone."),
    Question(id="3", title="Help"),
]


def different_words(questions: Iterable[Question]) -> int:
    return len({word for q in questions for word in re.findall(r"\w+", f"{q.title} {q.body}".lower())})


def test_the_count_is_what_was_asked_for_and_ids_differ() -> None:
    assert len({question.id for question in resample(FORUM, 1000, seed=1)}) == 1000


def test_the_same_seed_gives_the_same_questions() -> None:
    assert list(resample(FORUM, 50, seed=1)) == list(resample(FORUM, 50, seed=1))


def test_another_seed_gives_other_questions() -> None:
    assert list(resample(FORUM, 50, seed=1)) != list(resample(FORUM, 50, seed=2))


def test_questions_stream_without_end_in_sight() -> None:
    assert len(list(islice(resample(FORUM, 10**12, seed=1), 5))) == 5


def test_a_title_is_the_first_half_of_one_and_the_second_half_of_another() -> None:
    twice = [question for question in FORUM for _ in range(2)]
    titles = {question.title for question in resample(twice, 500, seed=1)}
    assert "How do I after update" in titles


def test_a_title_of_one_word_never_makes_an_empty_title() -> None:
    assert all(question.title for question in resample(FORUM, 500, seed=1))


def test_bodies_have_the_lengths_of_real_bodies() -> None:
    lengths = {len(question.body.split()) for question in resample(FORUM, 500, seed=1)}
    assert lengths == {len(question.body.split()) for question in FORUM}


def test_tags_are_those_of_the_question_that_begins_the_title() -> None:
    twice = [question for question in FORUM for _ in range(2)]
    for question in resample(twice, 100, seed=1):
        assert (question.tags == ("boot",)) == question.title.startswith("How do I")


def test_words_seen_once_become_new_words() -> None:
    assert different_words(resample(FORUM, 500, seed=1)) > 2 * different_words(FORUM)


def test_words_seen_more_often_stay() -> None:
    twice = [question for question in FORUM for _ in range(2)]
    assert different_words(resample(twice, 500, seed=1)) == different_words(twice)


def test_nothing_to_resample_is_an_error() -> None:
    with pytest.raises(ValueError, match="no question has a title"):
        next(resample([Question(title=" ")], 1, seed=1))


def test_a_quarter_of_a_real_set_grows_into_the_like_of_the_whole(data_dir: Path) -> None:
    whole = real_questions("askubuntu-bodies")
    grown = list(resample(whole[::4], len(whole), seed=1))
    assert different_words(grown) == pytest.approx(different_words(whole), rel=0.1)
    assert _median_length(grown) == pytest.approx(_median_length(whole), rel=0.1)


def _median_length(questions: list[Question]) -> float:
    return statistics.median(len(question.body.split()) for question in questions)
