"""What the words of two questions say about them, by hand and beside the definitions."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_words import Words, naive_signals
from reading_of_words import read

from askagain.fusion.lists import Lists
from askagain.fusion.wordsignals import WORD_SIGNALS, word_signals
from askagain.question import Question
from askagain.rerank.matrix import Matrix

WEIGHTS = {"how": 0.5, "boot": 2.0, "usb": 3.0, "stick": 2.0, "cd": 4.0, "8.1": 3.0, "windows": 1.0}


def matrix(asked: Question, found: Sequence[Question], weights: Mapping[str, float] = WEIGHTS) -> Matrix:
    stems, _ = read(asked, *found)
    lists = Lists.of_one(asked, found)
    return word_signals(lists, stems, np.array([weights[stem] for stem in stems.texts]))


def signals(asked: Question, found: Question) -> dict[str, float]:
    return dict(zip(WORD_SIGNALS, matrix(asked, [found])[0].tolist(), strict=True))


ASKED = Question("how boot usb stick", "boot windows")
FOUND = Question("how boot cd", "usb")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title.covered", 2.5 / 7.5),
        ("title.covering", 2.5 / 6.5),
        ("title.jaccard", 2.5 / 11.5),
        ("title.pairs", 1 / 2),
        ("title.same_start", 1.0),
        ("covered", 5.5 / 7.5),
        ("covering", 2.5 / 6.5),
        ("missing", 2.0),
        ("extra", 4.0),
        ("numbers.missing", 0.0),
        ("numbers.extra", 0.0),
        ("body.overlap", 0.0),
        ("asked.length", math.log(5)),
        ("found.length", math.log(4)),
        ("asked.body_length", math.log(3)),
        ("found.body_length", math.log(2)),
    ],
)
def test_a_pair_by_hand(name: str, value: float) -> None:
    assert signals(ASKED, FOUND)[name] == pytest.approx(value)


def test_the_same_question_covers_itself() -> None:
    same = signals(ASKED, ASKED)
    covered = ["title.covered", "title.covering", "title.jaccard", "title.pairs", "covered", "body.overlap"]
    assert [same[name] for name in covered] == pytest.approx([1.0] * len(covered))
    assert same["missing"] == same["extra"] == 0.0


def test_the_other_way_round_what_is_missing_becomes_extra() -> None:
    there, back = signals(ASKED, FOUND), signals(FOUND, ASKED)
    for one, other in (
        ("title.covered", "title.covering"), ("covered", "covering"), ("missing", "extra"),
        ("numbers.missing", "numbers.extra"), ("asked.length", "found.length"),
    ):  # fmt: skip
        assert (there[one], there[other]) == (back[other], back[one])


def test_numbers_that_only_one_title_has_are_counted() -> None:
    found = signals(Question("boot 8.1"), Question("boot windows"))
    assert (found["numbers.missing"], found["numbers.extra"]) == (1.0, 0.0)


def test_a_number_in_the_other_body_is_not_missing() -> None:
    assert signals(Question("boot 8.1"), Question("boot", "windows 8.1"))["numbers.missing"] == 0.0


def test_bodies_overlap_by_the_weight_of_what_they_share() -> None:
    found = signals(Question("how", "boot usb"), Question("how", "boot cd"))
    assert found["body.overlap"] == pytest.approx(2 / math.sqrt(5 * 6))


def test_tags_overlap_by_their_number() -> None:
    found = signals(Question("how", tags=("usb", "boot")), Question("how", tags=("boot", "windows")))
    assert found["tags"] == pytest.approx(1 / 3)


def test_the_case_of_tags_does_not_matter() -> None:
    assert signals(Question("how", tags=("USB", "usb")), Question("how", tags=("Usb",)))["tags"] == 1.0


# What is unknown


def unknown(asked: Question, found: Question) -> set[str]:
    return {name for name, value in signals(asked, found).items() if math.isnan(value)}


def test_nothing_is_unknown_where_both_questions_have_everything() -> None:
    whole = Question("how boot", "usb", tags=("tag",))
    assert unknown(whole, whole) == set()


@pytest.mark.parametrize(("mine", "theirs"), [("", "usb"), ("usb", ""), ("", "")])
def test_bodies_are_unknown_where_one_is_missing(mine: str, theirs: str) -> None:
    tags = ("tag",)
    assert unknown(Question("how", mine, tags=tags), Question("how", theirs, tags=tags)) == {"body.overlap"}


@pytest.mark.parametrize(("mine", "theirs"), [((), ("tag",)), (("tag",), ()), ((), ())])
def test_tags_are_unknown_where_one_question_has_none(mine: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    assert unknown(Question("how", "usb", tags=mine), Question("how", "usb", tags=theirs)) == {"tags"}


def test_of_questions_without_any_word_the_rest_is_known() -> None:
    assert unknown(Question(""), Question("")) == {"body.overlap", "tags"}


def test_no_candidates_have_no_signals() -> None:
    assert matrix(ASKED, []).shape == (0, len(WORD_SIGNALS))


# Beside the definitions

STEMS = st.lists(st.sampled_from(sorted(WEIGHTS)), max_size=7).map(" ".join)
TAGS = st.lists(st.sampled_from(["usb", "boot", "cd"]), max_size=3).map(tuple)
ANY = st.builds(Question, STEMS, STEMS, tags=TAGS)
WITHOUT_WEIGHT = dict.fromkeys(WEIGHTS, 0.0)


def words(question: Question) -> Words:
    return Words(tuple(question.title.split()), tuple(question.body.split()), frozenset(question.tags))


@given(ANY, st.lists(ANY, max_size=5), st.sampled_from([WEIGHTS, WITHOUT_WEIGHT]))
def test_the_kernel_equals_the_definitions(
    asked: Question, found: list[Question], weights: dict[str, float]
) -> None:
    expected = [naive_signals(words(asked), words(each), weights) for each in found]
    np.testing.assert_allclose(
        matrix(asked, found, weights),
        np.array(expected).reshape(-1, len(WORD_SIGNALS)),
        rtol=1e-12,
        atol=1e-12,
    )
