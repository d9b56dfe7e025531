"""What people said of suggestions, as marks."""

from askagain.question import Feedback, Mark, Question, Verdict
from askagain.reporting.typed import typed_questions

NO = Verdict.NOT_DUPLICATE


def said(title: str, found: str, verdict: Verdict = Verdict.DUPLICATE, when: str = "") -> Feedback:
    return Feedback(title, "a body", found, verdict, when=when)


def test_a_question_that_was_typed_twice_is_one() -> None:
    typed = typed_questions([said("boot", "usb"), said("boot", "cd", NO), said("rice", "pan")])

    assert list(typed.questions.values()) == [
        Question("boot", "a body", "(typed) 1"),
        Question("rice", "a body", "(typed) 2"),
    ]
    assert typed.marks == [
        Mark("usb", "(typed) 1"),
        Mark("cd", "(typed) 1", NO),
        Mark("pan", "(typed) 2"),
    ]


def test_where_people_disagree_those_who_say_the_same_are_believed() -> None:
    verdicts = [
        said("boot", "usb", NO, "2026-01-01"),
        said("boot", "usb", when="2026-02-01"),
        said("boot", "usb", NO),
    ]

    [mark] = typed_questions(verdicts).marks

    assert (mark.verdict, mark.when) == (Verdict.DUPLICATE, "2026-02-01")


def test_without_feedback_there_is_nothing() -> None:
    assert typed_questions([]) == ({}, [])
