"""What the words of two questions say about them, by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.explanations.reading import QuestionReader
from askagain.fusion.wordsignals import WORD_SIGNALS, Words, word_signals, words_of
from askagain.question import Question

WEIGHTS = {"how": 0.5, "boot": 2.0, "usb": 3.0, "stick": 2.0, "cd": 4.0, "8.1": 3.0, "windows": 1.0}


def words(title: str, body: str = "", *tags: str) -> Words:
    return Words(tuple(title.split()), tuple(body.split()), frozenset(tags))


def signals(asked: Words, found: Words) -> dict[str, float]:
    return dict(zip(WORD_SIGNALS, word_signals(asked, found, WEIGHTS), strict=True))


ASKED = words("how boot usb stick", "boot windows")
FOUND = words("how boot cd", "usb")


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
    found = signals(words("boot 8.1"), words("boot windows"))
    assert (found["numbers.missing"], found["numbers.extra"]) == (1.0, 0.0)


def test_a_number_in_the_other_body_is_not_missing() -> None:
    assert signals(words("boot 8.1"), words("boot", "windows 8.1"))["numbers.missing"] == 0.0


def test_bodies_overlap_by_the_weight_of_what_they_share() -> None:
    found = signals(words("how", "boot usb"), words("how", "boot cd"))
    assert found["body.overlap"] == pytest.approx(2 / math.sqrt(5 * 6))


def test_tags_overlap_by_their_number() -> None:
    found = signals(words("how", "", "usb", "boot"), words("how", "", "boot", "windows"))
    assert found["tags"] == pytest.approx(1 / 3)


# What is unknown


def unknown(asked: Words, found: Words) -> set[str]:
    return {name for name, value in signals(asked, found).items() if math.isnan(value)}


def test_nothing_is_unknown_where_both_questions_have_everything() -> None:
    whole = words("how boot", "usb", "tag")
    assert unknown(whole, whole) == set()


@pytest.mark.parametrize(("mine", "theirs"), [("", "usb"), ("usb", ""), ("", "")])
def test_bodies_are_unknown_where_one_is_missing(mine: str, theirs: str) -> None:
    assert unknown(words("how", mine, "tag"), words("how", theirs, "tag")) == {"body.overlap"}


@pytest.mark.parametrize(("mine", "theirs"), [([], ["tag"]), (["tag"], []), ([], [])])
def test_tags_are_unknown_where_one_question_has_none(mine: list[str], theirs: list[str]) -> None:
    assert unknown(words("how", "usb", *mine), words("how", "usb", *theirs)) == {"tags"}


def test_of_questions_without_any_word_the_rest_is_known() -> None:
    assert unknown(words(""), words("")) == {"body.overlap", "tags"}


STEMS = st.lists(st.sampled_from(sorted(WEIGHTS)), max_size=5).map(" ".join)
ANY = st.builds(words, STEMS, STEMS)
WITHOUT_WEIGHT = dict.fromkeys(WEIGHTS, 0.0)


@given(ANY, ANY, st.sampled_from([WEIGHTS, WITHOUT_WEIGHT]))
def test_shares_are_from_0_to_1_and_nothing_is_infinite(
    asked: Words, found: Words, weights: dict[str, float]
) -> None:
    values = dict(zip(WORD_SIGNALS, word_signals(asked, found, weights), strict=True))
    assert not any(map(math.isinf, values.values()))
    shares = ["title.covered", "title.covering", "title.jaccard", "title.pairs", "covered", "covering"]
    assert all(0 <= values[name] <= 1 + 1e-9 for name in shares)
    assert math.isnan(values["body.overlap"]) or 0 <= values["body.overlap"] <= 1 + 1e-9


# From a question to its words


def read(question: Question) -> Words:
    reader = QuestionReader(Analyzer(AnalyzerSettings(stemmer="english")))
    return words_of(reader.read(question), question.tags)


def test_words_are_stems_in_their_order() -> None:
    assert read(Question("Booting sticks", "It boots")) == words("boot stick", "it boot")


def test_the_case_of_tags_does_not_matter() -> None:
    assert read(Question("", tags=("USB", "usb", "Boot"))).tags == {"usb", "boot"}


def test_of_a_gigantic_body_the_beginning_counts() -> None:
    assert len(read(Question("", "boot usb " * 100_000)).body) == 150
