"""The demonstration keeps its promises."""

from pathlib import Path

import pytest

from askagain import Engine, Question
from askagain.analysis import Analyzer
from askagain.cli.demo import MISS, SEARCHES, Search
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


def test_the_miss_shares_no_word_with_the_question_that_has_the_answer() -> None:
    [wanted] = [question for question in forum.questions() if question.id == MISS.wanted]
    terms = Analyzer().terms

    assert not set(terms(MISS.title)) & set(terms(wanted.title + " " + wanted.body))
