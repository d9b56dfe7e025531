"""Set and vector measures: worked examples, what holds for all texts, and the plain definitions."""

from collections import Counter
from collections.abc import Callable
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.rerank.features.overlap import (
    Bag,
    Idf,
    binary_cosine,
    containment,
    dice,
    jaccard,
    kl_similarity,
    ngrams,
    overlap_coefficient,
    tfidf_cosine,
)

SYMMETRIC = [jaccard, overlap_coefficient, dice, binary_cosine]
ITEMS = st.lists(st.sampled_from(["how", "to", "boot", "usb", "日"]), max_size=12)
MEMBERS = ITEMS.map(frozenset)
EQUAL = Idf()

Measure = Callable[[frozenset[str], frozenset[str]], float]

# Three of A's four words are in B, which has five.
A = frozenset(["how", "to", "boot", "linux"])
B = frozenset(["how", "to", "boot", "from", "usb"])


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (jaccard, 3 / 6),
        (containment, 3 / 4),
        (overlap_coefficient, 3 / 4),
        (dice, 2 * 3 / 9),
        (binary_cosine, 3 / sqrt(4 * 5)),
    ],
)
def test_worked_example(measure: Measure, value: float) -> None:
    assert measure(A, B) == pytest.approx(value)


def test_containment_has_a_direction() -> None:
    assert containment(B, A) == 3 / 5


def test_ngrams_are_runs_of_words() -> None:
    assert list(ngrams(["a", "b", "c"], 2)) == [("a", "b"), ("b", "c")]


def test_a_text_shorter_than_the_runs_has_none() -> None:
    assert list(ngrams(["a", "b"], 3)) == []


def test_a_bag_knows_how_often_a_text_has_what_it_has() -> None:
    bag = Bag.of(["a", "b", "a"])

    assert (bag.members, bag.total) == ({"a", "b"}, 3)
    assert (bag.count("a"), bag.count("b")) == (2, 1)


def test_kl_worked_example() -> None:
    # With smoothing 1 the counts are 2 + 1, 0 + 1 of 4 and 1 + 1, 1 + 1 of 4.
    divergence = 3 / 4 * log((3 / 4) / (2 / 4)) + 1 / 4 * log((1 / 4) / (2 / 4))

    value = kl_similarity(Bag.of(["a", "a"]), Bag.of(["a", "b"]), smoothing=1)

    assert value == pytest.approx(1 / (1 + divergence))


def test_kl_has_a_direction() -> None:
    few, many = Bag.of(["a"]), Bag.of(["a", "b", "c"])

    assert kl_similarity(few, many) > kl_similarity(many, few)


@given(first=ITEMS.filter(bool), second=ITEMS.filter(bool), smoothing=st.floats(0.001, 2))
def test_kl_is_that_of_the_definition(first: list[str], second: list[str], smoothing: float) -> None:
    items = {*first, *second}

    def distribution(text: list[str]) -> dict[str, float]:
        total = len(text) + smoothing * len(items)
        return {item: (Counter(text)[item] + smoothing) / total for item in items}

    p, q = distribution(first), distribution(second)
    divergence = sum(p[item] * log(p[item] / q[item]) for item in items)

    value = kl_similarity(Bag.of(first), Bag.of(second), smoothing)

    assert value == pytest.approx(1 / (1 + divergence))


def test_tfidf_worked_example() -> None:
    idf = Idf({"usb": 3.0, "how": 1.0}, unknown=2.0)
    first, second = Bag.of(["how", "usb", "usb"]), Bag.of(["usb", "qemu"])  # (1, 6, 0) and (0, 3, 2)

    assert tfidf_cosine(first, second, idf) == pytest.approx(6 * 3 / (sqrt(37) * sqrt(13)))


def test_idf_is_small_for_what_many_texts_have_and_large_for_the_unknown() -> None:
    idf = Idf.of([["how", "usb"], ["how", "how"], ["how"]])

    assert idf["how"] == 1.0
    assert idf["usb"] == pytest.approx(1 + log(4 / 2))
    assert idf["qemu"] == pytest.approx(1 + log(4))


@pytest.mark.parametrize("measure", [*SYMMETRIC, containment])
@given(first=MEMBERS, second=MEMBERS)
def test_set_measures_are_from_0_to_1(
    measure: Measure, first: frozenset[str], second: frozenset[str]
) -> None:
    assert 0.0 <= measure(first, second) <= 1.0


@pytest.mark.parametrize("measure", SYMMETRIC)
@given(first=MEMBERS, second=MEMBERS)
def test_all_set_measures_but_containment_are_symmetric(
    measure: Measure, first: frozenset[str], second: frozenset[str]
) -> None:
    assert measure(first, second) == measure(second, first)


@given(first=ITEMS, second=ITEMS)
def test_vector_measures_are_from_0_to_1(first: list[str], second: list[str]) -> None:
    one, other = Bag.of(first), Bag.of(second)

    assert 0.0 <= kl_similarity(one, other) <= 1.0
    assert 0.0 <= tfidf_cosine(one, other, EQUAL) <= 1.0
    assert tfidf_cosine(one, other, EQUAL) == pytest.approx(tfidf_cosine(other, one, EQUAL))


@given(items=ITEMS.filter(bool))
def test_a_text_is_like_itself(items: list[str]) -> None:
    bag, other = Bag.of(items), Bag.of(reversed(items))

    assert [measure(bag.members, other.members) for measure in (*SYMMETRIC, containment)] == [1.0] * 5
    assert kl_similarity(bag, other) == pytest.approx(1.0)
    assert tfidf_cosine(bag, other, EQUAL) == pytest.approx(1.0)


@pytest.mark.parametrize(("first", "second"), [([], []), ([], ["a"]), (["a"], [])])
def test_nothing_is_like_no_text(first: list[str], second: list[str]) -> None:
    one, other = Bag.of(first), Bag.of(second)

    assert [measure(one.members, other.members) for measure in (*SYMMETRIC, containment)] == [0.0] * 5
    assert kl_similarity(one, other) == 0.0
    assert tfidf_cosine(one, other, EQUAL) == 0.0
