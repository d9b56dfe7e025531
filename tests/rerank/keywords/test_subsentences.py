"""A question falls apart into pieces that are parsed by themselves."""

import time

import pytest

from askagain import Question
from askagain.rerank.keywords.subsentences import (
    LONGEST_CHARACTERS,
    LONGEST_WORDS,
    MOST_SUB_SENTENCES,
    sub_sentences,
)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Need a visa. Who can help? Me!", ["Need a visa.", "Who can help?", "Me!"]),
        ("i came here; i work here", ["i came here;", "i work here"]),
        ("red, green, blue", ["red, green, blue"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("hello.My visa is old", ["hello.", "My visa is old"]),
        ("hi....need help", ["hi....", "need help"]),
        ("what?how", ["what?", "how"]),
        ("「ビザ」。更新！はい", ["「ビザ」。", "更新!", "はい"]),
    ],
    ids=["sentences", "semicolon", "commas", "lines", "no blank", "dots", "no blank at all", "full width"],
)
def test_a_text_is_cut_at_the_ends_of_sentences_and_lines(text: str, pieces: list[str]) -> None:
    assert sub_sentences(text) == pieces


@pytest.mark.parametrize(
    "text", ["Ubuntu 12.04 fails", "see e.g. node.js", "Dr. Smith and Mr. Jones", "at 3 p.m"]
)
def test_other_full_stops_cut_nothing(text: str) -> None:
    assert sub_sentences(text) == [text]


def test_the_number_of_an_item_is_no_sentence() -> None:
    assert sub_sentences("Do this. 1. Install it. b. Start it.") == [
        "Do this.",
        "1. Install it.",
        "b. Start it.",
    ]


def test_title_and_body_are_never_one_piece() -> None:
    assert sub_sentences(Question("Renew visa", "<p>Mine is <b>old</b></p>")) == ["Renew visa", "Mine is old"]


@pytest.mark.parametrize("text", ["", " \n ", "?!", "😀 …", "\u200b\u200b"])
def test_a_text_without_words_has_no_pieces(text: str) -> None:
    assert sub_sentences(text) == []


def test_a_post_without_full_stops_is_cut_after_so_many_words() -> None:
    pieces = sub_sentences("word " * 150)

    assert [len(piece.split()) for piece in pieces] == [LONGEST_WORDS, LONGEST_WORDS, 30]


def test_a_text_without_blanks_is_cut_after_so_many_characters() -> None:
    assert max(map(len, sub_sentences("字" * 3000))) == LONGEST_CHARACTERS


@pytest.mark.parametrize("unit", ["no. ", "a. ", "x;", "word ", "... ", "!", "A.b", "etc. etc.\n"])
def test_a_huge_post_takes_no_time_and_gives_a_limited_number_of_pieces(unit: str) -> None:
    started = time.process_time()
    pieces = sub_sentences(unit * (1_000_000 // len(unit)))

    assert len(pieces) <= MOST_SUB_SENTENCES
    assert time.process_time() - started < 10
