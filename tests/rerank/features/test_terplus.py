"""TER-Plus: by hand, and beside TER."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.rerank.features.mt.ter import ter
from askagain.rerank.features.mt.terplus import ter_plus, ter_plus_similarity

RELATED = [
    "buy",
    "purchase",
    "bought",
    "seek",
    "look",
    "for",
    "search",
    "oil",
    "oils",
    "car",
    "auto",
    "cars",
    "the",
    "a",
    "mobile",
    "phone",
    "cellphone",
]
TEXTS = st.lists(st.sampled_from(RELATED), max_size=30)
UNRELATED = st.lists(st.sampled_from(["qxa", "qxb", "qxc", "qxd", "the"]), max_size=30)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "cost"),
    [
        ("good massage oil", "good massage oil", 0),
        ("good massage oil", "good massage oils", 0.1),
        ("buy a car", "buy a auto", 0.2),
        ("i look for oil", "i seek oil", 0.2),
        ("my cellphone broke", "my mobile phone broke", 0.2),
        ("my cellular phone broke", "my mobile phone broke", 0.2),
        ("buy a car", "buy a house", 1),
    ],
    ids=["same", "stem", "synonym", "phrase in the reference", "phrase in the hypothesis", "both", "other"],
)
def test_near_matches_cost_less_than_an_edit(reference, hypothesis, cost):
    assert ter_plus(reference.split(), hypothesis.split()) == pytest.approx(cost / len(reference.split()))


def test_phrases_are_found_in_any_inflection():
    assert ter_plus(["he", "was", "seeking", "oil"], ["he", "was", "looking", "for", "oil"]) == pytest.approx(
        0.2 / 4
    )


def test_a_block_may_be_shifted_that_matches_by_stem_and_synonym():
    reference, hypothesis = (
        ["in", "doha", "where", "to", "buy", "cars"],
        ["where", "to", "purchase", "car", "in", "doha"],
    )
    assert ter_plus(reference, hypothesis) == pytest.approx((1 + 0.2 + 0.1) / 6)


@given(TEXTS, TEXTS)
def test_it_is_at_most_ter(reference, hypothesis):
    assert ter_plus(reference, hypothesis) <= ter(reference, hypothesis) + 1e-12


@given(UNRELATED, UNRELATED)
def test_without_near_matches_it_is_ter(reference, hypothesis):
    assert ter_plus(reference, hypothesis) == ter(reference, hypothesis)


def test_it_is_at_most_ter_for_real_questions_and_often_less(word_pairs):
    both = [(ter_plus(*pair), ter(*pair)) for pair in word_pairs]
    assert all(plus <= plain + 1e-12 for plus, plain in both)
    assert sum(plus < plain for plus, plain in both) > len(both) / 4


@given(TEXTS, TEXTS)
def test_the_similarity_is_above_0_and_at_most_1(reference, hypothesis):
    assert 0 < ter_plus_similarity(reference, hypothesis) <= 1


@given(TEXTS)
def test_the_same_text_has_similarity_1(text):
    assert ter_plus_similarity(text, text) == 1


@pytest.mark.parametrize(
    "text", [[], [""], ["\u200b"], ["🙂"], ["قطر"], ["word"] * 10_000, ["look", "for"] * 5_000]
)
def test_any_text_has_a_finite_value(text):
    assert isfinite(ter_plus(text, ["seek", "oil"]))
    assert isfinite(ter_plus(["seek", "oil"], text))
