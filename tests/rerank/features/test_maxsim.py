"""MaxSim: by hand, and against trying every way to match."""

from itertools import permutations
from math import isfinite

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.rerank.features.mt.maxsim import _greatest_sum, maxsim

TEXTS = st.lists(
    st.sampled_from(
        [
            "where",
            "can",
            "i",
            "buy",
            "purchase",
            "oils",
            "oil",
            "car",
            "auto",
            "run",
            "quickly",
            "good",
            "the",
        ]
    ),
    max_size=10,
)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "value"),
    [
        ("oil", "oil", 1),
        ("oil", "oils", 1),
        ("car", "auto", 1),
        ("car", "house", 1 / 2),
        ("car", "quickly", 0),
        ("car", "the", 0),
    ],
    ids=["same", "same lemma", "synonym", "same part of speech", "nothing in common", "closed class"],
)
def test_words_are_similar_by_lemma_part_of_speech_and_synset(reference, hypothesis, value):
    assert maxsim([reference], [hypothesis]) == pytest.approx(value)


def test_the_value_is_the_mean_over_unigrams_and_bigrams_of_two_words():
    unigrams, bigrams = (1 + 1 / 2) / 2, (1 + 1 / 2) / 2
    assert maxsim(["buy", "cars"], ["buy", "houses"]) == pytest.approx((unigrams + bigrams) / 2)


def test_ngrams_with_a_pair_of_unlike_words_do_not_match():
    assert maxsim(["buy", "cars"], ["buy", "quickly"]) == pytest.approx((1 / 2 + 0) / 2)


def test_each_ngram_is_matched_once():
    precision, recall = 1 / 2, 1
    unigrams = precision * recall / (0.9 * precision + 0.1 * recall)
    assert maxsim(["oil"], ["oil", "oil"]) == pytest.approx((unigrams + 0) / 2)


def test_recall_weighs_nine_times_as_much_as_precision():
    assert maxsim(["oil"], ["oil", "quickly"]) > maxsim(["oil", "quickly"], ["oil"])


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=2, max_size=4))
def test_the_matching_is_the_best_of_all(rows):
    weights = np.array(rows)
    best = max(
        sum(row[place] for row, place in zip(rows, places, strict=False)) for places in permutations(range(4))
    )
    assert _greatest_sum(weights) == best


@given(TEXTS, TEXTS)
def test_it_is_between_0_and_1(reference, hypothesis):
    assert 0 <= maxsim(reference, hypothesis) <= 1


@given(TEXTS.filter(bool))
def test_the_same_text_has_1(text):
    assert maxsim(text, text) == pytest.approx(1)


def test_a_query_and_its_candidate_are_above_others_on_average(word_pairs):
    titles = word_pairs[:150]
    own = np.mean([maxsim(*pair) for pair in titles])
    others = np.mean(
        [maxsim(first[0], second[1]) for first, second in zip(titles, titles[75:] + titles[:75], strict=True)]
    )
    assert own > others


@pytest.mark.parametrize("text", [[], [""], ["\u200b"], ["🙂"], ["قطر"], ["word"] * 10_000, ["12.04", "3rd"]])
def test_any_text_has_a_finite_value(text):
    assert isfinite(maxsim(text, ["good", "oil"]))
    assert isfinite(maxsim(["good", "oil"], text))
