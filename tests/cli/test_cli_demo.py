"""The demonstration keeps its promises."""

from pathlib import Path

import pytest

from askagain import Engine, Question
from askagain.analysis import Analyzer
from askagain.cli.demo import OTHER_WORDS, SEARCHES, Search
from askagain.sample import forum


@pytest.mark.parametrize("search", SEARCHES)
def test_each_search_finds_the_question_that_has_the_answer(search: Search, sample_archive: Path) -> None:
    with Engine.open(sample_archive) as engine:
        [best] = engine.search(Question(title=search.title), 1)

    assert best.id == search.wanted
    assert best.question is not None
    assert best.question.answer


@pytest.mark.parametrize("search", SEARCHES)
def test_each_search_is_in_other_words_than_the_title(search: Search) -> None:
    [wanted] = [question for question in forum.questions() if question.id == search.wanted]
    terms = Analyzer().terms

    assert len(set(terms(search.title)) - set(terms(wanted.title))) >= 3


def test_other_words_are_no_words_of_the_question_that_has_the_answer() -> None:
    [wanted] = [question for question in forum.questions() if question.id == OTHER_WORDS.wanted]
    terms = Analyzer().terms

    assert not set(terms(OTHER_WORDS.title)) & set(terms(wanted.title + " " + wanted.body))


def test_other_words_are_found_by_the_default_system_and_thought_unlikely(sample_archive: Path) -> None:
    with Engine.open(sample_archive) as engine:
        [best] = engine.search(Question(title=OTHER_WORDS.title), 1)

    assert best.id == OTHER_WORDS.wanted
    assert best.probability is not None
    assert best.probability < 0.1


def test_systems_that_compare_words_do_not_find_other_words(sample_archive: Path) -> None:
    with Engine.open(sample_archive, "bm25") as engine:
        found = [match.id for match in engine.search(Question(title=OTHER_WORDS.title), 1000)]

    assert OTHER_WORDS.wanted not in found
