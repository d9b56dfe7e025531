"""Which characters of a post are kept, and in which form."""

import time

import pytest

from askagain.characters import MAX_CHARACTERS, MAX_STACKED_MARKS, cut, normalise


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("ｆｕｌｌ ① ﬁ x²", "full 1 fi x2"),
        ("e\u0301", "é"),
        ("don’t don´t ‘x’", "don't don't 'x'"),
        ("wi‑fi", "wi-fi"),
        ("Core™ i7", "Core  i7"),
        ("zero\u200bwidth so\u00adft \u202eback\u202c \ufeff", "zerowidth soft back "),
        ("nul\x00l bell\x07 \x1b[0m", "null bell [0m"),
        ("a\x0cb\x1fc\x85d", "a b c d"),
        ("bad\udcff byte \ud800 \ufffd \ue000end", "bad  byte      end"),
        ("one\r\ntwo\rthree\tfour", "one\ntwo\nthree\tfour"),
        ("\u3164\uffa0\u2800", ""),
        ("हिन्दी Việt שָׁ", "हिन्दी Việt שָׁ"),
    ],
)
def test_characters_are_normalised(raw: str, text: str) -> None:
    assert normalise(raw) == text


def test_stacks_of_marks_are_dropped() -> None:
    assert normalise("z" + "\u0316\u0301" * MAX_STACKED_MARKS + "a") == "za"


def test_a_long_text_is_cut_before_and_after_characters_grow() -> None:
    assert len(cut("x" * (MAX_CHARACTERS + 1))) == MAX_CHARACTERS
    assert len(normalise("\ufdfa" * (MAX_CHARACTERS // 10))) == MAX_CHARACTERS


def test_a_flood_of_marks_takes_seconds_at_most() -> None:
    started = time.perf_counter()
    normalise("\u0301\u0316" * 500_000)
    assert time.perf_counter() - started < 10
