"""Matches for people and for programs."""

from dataclasses import replace

import pytest
from rich.console import Console

from askagain import Match, Question, Reason
from askagain.cli.matches import match_json, match_table, percent
from askagain.question import AlignedWords, Explanation, WeightedWord

REASONS = (Reason("boot", "title", 3.0), Reason("usb", "body", 1.0))
MATCH = Match(
    "q1",
    4.0,
    reasons=REASONS,
    question=Question("How to boot from USB?", id="q1", url="http://forum/q1"),
    explanation=Explanation(
        "same: boot from usb; only yours: windows 8",
        shared=(WeightedWord("usb", 2.5), WeightedWord("boot", 1.25)),
        only_asked=(WeightedWord("windows", 2.0),),
        only_found=(),
        aligned=(AlignedWords("stick", "drive", 0.75, 3.0),),
        let_in=REASONS,
    ),
)


def lines(*matches: Match, explain: bool) -> list[str]:
    with (out := Console(width=80)).capture() as captured:
        out.print(match_table(matches, explain=explain))
    return [" ".join(line.split()) for line in captured.get().splitlines()]


def test_the_table_has_rank_score_title_id_and_a_short_reason() -> None:
    assert lines(MATCH, explain=False) == [
        "# score question id",
        "1 4.00 How to boot from USB? q1",
        "same: boot from usb; only yours: windows 8",
    ]


def test_a_match_with_a_probability_has_it_in_place_of_the_score() -> None:
    assert lines(replace(MATCH, probability=0.694), explain=False)[:2] == [
        "# likely question id",
        "1 69% How to boot from USB? q1",
    ]


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(0.0001, "<1%"), (0.0099, "<1%"), (0.01, "1%"), (0.5, "50%"), (0.99, "99%"), (0.9901, ">99%")],
)
def test_nothing_is_impossible_or_certain(probability: float, shown: str) -> None:
    assert percent(probability) == shown


def test_an_explained_match_has_the_words_of_each_kind_with_their_weights() -> None:
    assert lines(MATCH, explain=True)[2:6] == [
        "same: boot from usb; only yours: windows 8",
        "same usb 2.50, boot 1.25",
        "similar stick ~ drive (0.75) 3.00",
        "only yours windows 2.00",
    ]


def test_an_explained_match_has_each_terms_field_share_and_percent() -> None:
    assert lines(MATCH, explain=True)[6:] == ["boot in title 3.00 75%", "usb in body 1.00 25%"]


def test_a_match_without_an_explanation_has_its_shares() -> None:
    assert lines(replace(MATCH, explanation=None), explain=True)[2:] == [
        "matched by: boot, usb",
        "boot in title 3.00 75%",
        "usb in body 1.00 25%",
    ]


def test_percents_tell_terms_apart_where_shares_do_not_add_up_to_the_score() -> None:
    shares = (Reason("stood", "title", 0.03), Reason("out", "title", 0.01), Reason("rice", "title", -0.01))

    shown = lines(replace(MATCH, score=0.9, reasons=shares), explain=True)

    assert shown[6:] == ["stood in title 0.03 60%", "out in title 0.01 20%", "rice in title -0.01 -20%"]


def test_shares_of_nothing_are_no_percents() -> None:
    shown = lines(replace(MATCH, reasons=(Reason("the", "title", 0.0),)), explain=True)

    assert shown[6:] == ["the in title 0.00 0%"]


def test_words_of_a_forum_are_nothing_but_text() -> None:
    hostile = "[red]\x1b[31m\u202e\nboot"
    words = (WeightedWord(hostile, 1.0),)
    aligned = (AlignedWords(hostile, hostile, 1.0, 1.0),)
    explanation = Explanation(f"same: {hostile}", words, words, words, aligned)

    shown = lines(replace(MATCH, explanation=explanation), explain=True)

    assert shown[2] == "same: [red] [31m boot"
    assert not {"\x1b", "\u202e"} & set("".join(shown))
    assert sum("[red] [31m boot" in line for line in shown) == 5


def test_a_long_title_and_a_long_id_are_shown_whole() -> None:
    question = Question("long " * 60, id="x" * 100)

    shown = "".join(lines(Match("x" * 100, 1.0, question=question), explain=False))

    assert shown.count("long") == 60
    assert shown.count("x") == 100


def test_json_has_url_and_answer_only_where_the_question_has_them() -> None:
    assert match_json(MATCH) == {
        "id": "q1",
        "title": "How to boot from USB?",
        "score": 4.0,
        "probability": None,
        "reason": "same: boot from usb; only yours: windows 8",
        "explanation": {
            "shared": [{"word": "usb", "weight": 2.5}, {"word": "boot", "weight": 1.25}],
            "aligned": [{"asked": "stick", "found": "drive", "similarity": 0.75, "weight": 3.0}],
            "only_asked": [{"word": "windows", "weight": 2.0}],
            "only_found": [],
        },
        "reasons": [
            {"term": "boot", "field": "title", "share": 3.0},
            {"term": "usb", "field": "body", "share": 1.0},
        ],
        "url": "http://forum/q1",
    }


def test_json_of_a_match_without_an_explanation_says_so() -> None:
    assert match_json(replace(MATCH, explanation=None))["explanation"] is None
