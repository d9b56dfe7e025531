"""Forums hold everything: an explanation is always there, short, and made of words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain import Question
from askagain.explanations.explainer import MOST_WORDS, Explainer
from askagain.question import Explanation

LONGEST_LINE = 1200

WORDS = [
    "boot",
    "usb",
    "the",
    "how",
    "not",
    "12.04",
    "c++",
    "s",
    "x" * 500,
    "загрузка",
    "安装软件",
    "ಕನ್ನಡ",
    "עברית",
]
MARKUP = [
    "<p>",
    "</p>",
    "<script>alert(1)</script>",
    "[bold]",
    "&amp;",
    "`code`",
    "```\n",
    "https://x.org",
    "a@b.c",
]
UNSEEN = [
    "\u200b",
    "\u200d",
    "\u202e",
    "\x1b[31m",
    "\x00",
    "\ud800",
    "e\u0301" * 9,
    "🍚",
    "\n",
    "'",
    ";",
    "~",
    ",",
]
PIECES = st.sampled_from(WORDS + MARKUP + UNSEEN)
POSTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=25).map(" ".join), PIECES)
QUESTIONS = st.builds(Question, title=POSTS, body=POSTS)

HOSTILE = [
    Question(""),
    Question("?", "\u200b\u200d"),
    Question("boot " * 100_000),
    Question("x" * 1_000_000, "<div>" * 200_000),
    Question("boot", "zebra " + "usb " * 1_000_000 + "lion"),
    Question("Как загрузиться с флешки?", "如何从U盘启动"),
]


def told(explanation: Explanation) -> list[str]:
    kinds = (explanation.shared, explanation.only_asked, explanation.only_found)
    return [word.word for kind in kinds for word in kind]


def check(explanation: Explanation) -> None:
    assert 0 < len(explanation.line) <= LONGEST_LINE
    assert len(explanation.line.splitlines()) == 1
    for kind in (explanation.shared, explanation.only_asked, explanation.only_found):
        assert len(kind) <= MOST_WORDS
        assert all(math.isfinite(word.weight) and word.weight >= 0 for word in kind)
        assert all(0 < len(word.word) <= 64 and not any(map(str.isspace, word.word)) for word in kind)


@given(asked=QUESTIONS, found=QUESTIONS)
def test_any_two_questions_are_explained(explainer: Explainer, asked: Question, found: Question) -> None:
    check(explainer.explain(asked, found))


@given(asked=QUESTIONS, found=QUESTIONS)
def test_turned_round_what_only_one_question_has_changes_sides(
    explainer: Explainer, asked: Question, found: Question
) -> None:
    here, there = explainer.explain(asked, found), explainer.explain(found, asked)

    if max(len(here.only_asked), len(here.only_found)) < MOST_WORDS:
        assert sorted(here.only_asked, key=str) == sorted(there.only_found, key=str)
        assert sorted(here.only_found, key=str) == sorted(there.only_asked, key=str)


@given(question=QUESTIONS)
def test_a_question_lacks_nothing_of_itself(explainer: Explainer, question: Question) -> None:
    explanation = explainer.explain(question, question)

    assert (explanation.only_asked, explanation.only_found) == ((), ())


@pytest.mark.parametrize("asked", HOSTILE)
@pytest.mark.parametrize("found", HOSTILE)
def test_gigantic_and_empty_posts_are_explained(
    explainer: Explainer, asked: Question, found: Question
) -> None:
    check(explainer.explain(asked, found))


def test_a_gigantic_body_is_known_by_its_beginning(explainer: Explainer) -> None:
    words = told(explainer.explain(Question("boot"), HOSTILE[4]))

    assert "zebra" in words
    assert "lion" not in words
