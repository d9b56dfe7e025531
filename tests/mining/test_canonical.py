"""The question that stands for a group, and why."""

from dataclasses import replace

import pytest

from askagain import Question
from askagain.mining.canonical import canonical_of

PLAIN = Question(title="How do I boot from a USB stick?", body="It does not work.", created="2024-05-01")
ANSWERED = replace(PLAIN, answer="Press F12.")


def chosen(*questions: Question, links: dict[str, int] | None = None) -> tuple[str, str]:
    """Its id and the reason; the order of the questions makes no difference."""
    named = [replace(question, id=question.id or f"q{place}") for place, question in enumerate(questions)]
    canonical = canonical_of(named, links or {})
    assert canonical_of(named[::-1], links or {}) == canonical
    return canonical.question.id, canonical.why


def test_an_answered_question_comes_before_all_others() -> None:
    older = replace(PLAIN, created="2020-01-01")
    assert chosen(older, ANSWERED, links={"q0": 9}) == ("q1", "it has an answer")


def test_of_the_answered_ones_the_one_with_most_links_is_chosen() -> None:
    older = replace(ANSWERED, created="2020-01-01")
    assert chosen(PLAIN, older, ANSWERED, links={"q1": 1, "q2": 2}) == (
        "q2",
        "it has an answer and has the most links to the others",
    )


def test_of_equally_linked_ones_the_oldest_is_chosen() -> None:
    older = replace(ANSWERED, created="2020-01-01")
    assert chosen(PLAIN, ANSWERED, older) == ("q2", "it has an answer and is the oldest")


@pytest.mark.parametrize("unknown", ["", "yesterday", "9999999999999", "2024-13-01"])
def test_what_has_no_date_is_not_the_oldest(unknown: str) -> None:
    assert chosen(replace(PLAIN, created=unknown), PLAIN) == ("q1", "it is the oldest")


def test_times_of_different_zones_can_be_compared() -> None:
    later = replace(PLAIN, created="2024-05-01T09:30:00")
    earlier = replace(PLAIN, created="2024-05-01T10:00:00+02:00")
    first_of_all = replace(PLAIN, created="0001-01-01T00:00:00+14:00")
    assert chosen(later, earlier) == ("q1", "it is the oldest")
    assert chosen(later, first_of_all) == ("q1", "it is the oldest")


@pytest.mark.parametrize("title", ["boot", "boot " * 100])
def test_a_title_of_usual_length_is_clearer(title: str) -> None:
    assert chosen(replace(PLAIN, title=title), PLAIN) == ("q1", "it has a title of the right length")


def test_a_shorter_text_is_clearer() -> None:
    assert chosen(replace(PLAIN, body="blah " * 100), PLAIN) == ("q1", "it has the shortest text")


def test_the_id_decides_between_equals() -> None:
    assert chosen(replace(PLAIN, id="b"), replace(PLAIN, id="a")) == ("a", "it has the smallest id")


def test_three_reasons_are_one_line() -> None:
    linked = {"q1": 1, "q2": 1}
    assert chosen(PLAIN, ANSWERED, replace(ANSWERED, created="2020-01-01"), ANSWERED, links=linked)[1] == (
        "it has an answer, has the most links to the others and is the oldest"
    )


def test_the_only_one_needs_no_other_reason() -> None:
    assert chosen(PLAIN) == ("q0", "it is the only one")
