"""Matches for people and for programs."""

from dataclasses import replace

from rich.console import Console

from askagain import Match, Question, Reason
from askagain.cli.matches import match_json, match_table

MATCH = Match(
    "q1",
    4.0,
    reasons=(Reason("boot", "title", 3.0), Reason("usb", "body", 1.0)),
    question=Question("How to boot from USB?", id="q1", url="http://forum/q1"),
)


def lines(*matches: Match, explain: bool) -> list[str]:
    with (out := Console(width=80)).capture() as captured:
        out.print(match_table(matches, explain=explain))
    return [" ".join(line.split()) for line in captured.get().splitlines()]


def test_the_table_has_rank_score_title_id_and_a_short_reason() -> None:
    assert lines(MATCH, explain=False) == [
        "# score question id",
        "1 4.00 How to boot from USB? q1",
        "matched by: boot, usb",
    ]


def test_an_explanation_has_each_terms_field_share_and_percent() -> None:
    assert lines(MATCH, explain=True)[2:] == ["boot in title 3.00 75%", "usb in body 1.00 25%"]


def test_percents_tell_terms_apart_where_shares_do_not_add_up_to_the_score() -> None:
    shares = (Reason("stood", "title", 0.03), Reason("out", "title", 0.01), Reason("rice", "title", -0.01))

    shown = lines(replace(MATCH, score=0.9, reasons=shares), explain=True)

    assert shown[2:] == ["stood in title 0.03 60%", "out in title 0.01 20%", "rice in title -0.01 -20%"]


def test_shares_of_nothing_are_no_percents() -> None:
    shown = lines(replace(MATCH, reasons=(Reason("the", "title", 0.0),)), explain=True)

    assert shown[2:] == ["the in title 0.00 0%"]


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
        "reason": "matched by: boot, usb",
        "reasons": [
            {"term": "boot", "field": "title", "share": 3.0},
            {"term": "usb", "field": "body", "share": 1.0},
        ],
        "url": "http://forum/q1",
    }
