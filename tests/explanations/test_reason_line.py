"""The one line that tells why a question was found."""

import numpy as np

from askagain import Question
from askagain.encoders.wordvectors import WordVectors
from askagain.explanations.explainer import Explainer
from askagain.lexical.view import LexicalView


def titles(explainer: Explainer, asked: str, found: str) -> str:
    return explainer.explain(Question(asked), Question(found)).line


def test_it_tells_what_is_the_same_and_what_each_question_has_alone(explainer: Explainer) -> None:
    told = titles(explainer, "Boot from USB on Windows 8", "How do I boot from USB on my Dell?")

    assert told == "same: boot from usb; only yours: windows 8; only theirs: dell"


def test_what_is_similar_stands_between(view: LexicalView) -> None:
    vectors = WordVectors(("stick", "drive"), np.array([[1, 0], [1, 0.1]], dtype=np.float32))

    told = titles(Explainer(view, vectors.units), "Boot from a stick of mine", "Boot Windows from a drive")

    assert told == "same: boot; similar: stick ~ drive; only theirs: windows"


def test_the_same_question_leaves_nothing_to_differ(explainer: Explainer) -> None:
    title = "How do I boot Windows from a USB stick?"

    assert titles(explainer, title, title) == "same: boot windows from a usb stick"


def test_a_phrase_stands_in_both_questions_whatever_the_articles(explainer: Explainer) -> None:
    assert (
        titles(explainer, "boot from a USB stick", "boot from my usb stick") == "same: boot from a usb stick"
    )


def test_other_words_between_make_it_two_words(explainer: Explainer) -> None:
    assert titles(explainer, "boot to USB", "boot from USB") == "same: usb, boot"
    assert titles(explainer, "boot from USB", "boot zebra usb") == "same: usb, boot; only theirs: zebra"


def test_a_phrase_of_one_question_alone_has_no_gaps(explainer: Explainer) -> None:
    assert titles(explainer, "usb", "usb for zebra herds") == "same: usb; only theirs: zebra herds"
    assert titles(explainer, "usb", "usb zebra for herds") == "same: usb; only theirs: zebra, herds"


def test_light_words_are_not_worth_telling(explainer: Explainer) -> None:
    assert titles(explainer, "usb stick on ubuntu", "usb menu of ubuntu") == (
        "same: usb; only yours: stick; only theirs: menu"
    )


def test_light_words_are_told_where_nothing_heavier_is_shared(explainer: Explainer) -> None:
    assert titles(explainer, "ubuntu stick", "ubuntu menu") == (
        "same: ubuntu; only yours: stick; only theirs: menu"
    )


def test_question_words_and_function_words_are_not_told(explainer: Explainer) -> None:
    assert titles(explainer, "Why is my rice so?", "How do I get it to be rice?") == (
        "same: rice; only theirs: get"
    )


def test_function_words_are_told_where_nothing_else_is_shared(explainer: Explainer) -> None:
    assert titles(explainer, "How do I?", "How do I boot?") == "same: how do i; only theirs: boot"


def test_words_that_lean_on_others_are_not_told_alone(explainer: Explainer) -> None:
    assert titles(explainer, "sleep after usb", "sleep before usb, up") == "same: sleep, usb"


def test_nothing_in_common_is_said(explainer: Explainer) -> None:
    assert titles(explainer, "zebra", "bread") == "no word in common; only yours: zebra; only theirs: bread"
    assert titles(explainer, "", "") == "no word in common"


def test_it_names_no_more_than_a_person_reads(explainer: Explainer) -> None:
    asked = " of ".join(f"same{n} of mine{n}" for n in range(9))
    found = " of ".join(f"same{n} of theirs{n}" for n in range(9))

    same, yours, theirs = titles(explainer, asked, found).split("; ")

    assert (same.count(","), yours.count(","), theirs.count(",")) == (4, 2, 2)


def test_a_gigantic_phrase_is_cut(explainer: Explainer) -> None:
    title = "zebra " * 7 + "x" * 3000

    told = titles(explainer, title, title)

    assert told.endswith("…")
    assert len(told) < 100


def test_bodies_share_words_that_come_after_those_of_titles(explainer: Explainer) -> None:
    asked = Question("ubuntu update", "A zebra ate it.")
    found = Question("update of windows", "By a zebra.")

    assert explainer.explain(asked, found).line.startswith("same: update, zebra;")


def test_words_that_only_a_body_has_are_not_told(explainer: Explainer) -> None:
    asked = Question("usb stick", "It is on Windows.")
    found = Question("usb stick", "There are zebras.")

    assert explainer.explain(asked, found).line == "same: usb stick"


def test_a_body_speaks_for_a_title_that_says_nothing(explainer: Explainer) -> None:
    asked = Question("What is it?", "Windows on a usb stick")

    assert explainer.explain(asked, Question("usb stick")).line == "same: usb stick; only yours: windows"


def test_a_link_is_no_word(explainer: Explainer) -> None:
    link = "https://example.org/some/where"

    assert titles(explainer, f"rice {link}", f"rice {link}") == "same: rice"


def test_nothing_is_told_twice(explainer: Explainer) -> None:
    asked = Question("boot", "boot from usb, boot from usb")

    assert explainer.explain(asked, Question("boot", "boot from usb")).line == "same: boot from usb"
