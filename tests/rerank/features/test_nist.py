"""NIST of one pair: by hand, and as nltk's sentence NIST."""

from math import isfinite, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.nist_score import sentence_nist

from askagain.rerank.features.mt.nist import nist, nist_similarity

TEXTS = st.lists(st.sampled_from(["where", "can", "i", "buy", "good", "massage", "oil", "here"]), max_size=12)


def test_rare_words_tell_more():
    reference = ["a", "a", "b", "c"]
    assert nist(reference, ["b", "x", "x", "x"]) == pytest.approx(log2(4 / 1) / 4)
    assert nist(reference, ["a", "x", "x", "x"]) == pytest.approx(log2(4 / 2) / 4)


def test_longer_ngrams_add_what_their_last_word_tells():
    reference = ["a", "b", "a", "c"]
    words = (log2(4 / 2) + log2(4 / 1) + 0 + 0) / 4
    pairs = log2(2 / 1) / 3
    assert nist(reference, ["a", "b", "x", "x"]) == pytest.approx(words + pairs)


def test_two_thirds_of_the_reference_halve_the_value():
    assert nist(["a", "b", "c"], ["a", "b"]) == pytest.approx(log2(3) / 2)


def test_it_is_nltks_for_real_questions(word_pairs):
    compared = [pair for pair in word_pairs if len(pair[1]) >= 5]  # nltk divides by zero for shorter ones
    assert len(compared) > 150
    for reference, hypothesis in compared:
        assert nist(reference, hypothesis) == pytest.approx(sentence_nist([reference], hypothesis), abs=1e-12)


def test_the_similarity_is_the_share_of_what_the_reference_itself_has():
    reference = ["where", "to", "buy", "oil"]
    assert nist_similarity(reference, reference) == 1
    assert nist_similarity(reference, ["where", "to", "buy", "soap"]) == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("hypothesis", "value"), [(["visa"], 1), (["oil"], 0), (["visa", "oil"], 0), ([], 0)]
)
def test_a_reference_of_one_word_is_met_or_not(hypothesis, value):
    assert nist_similarity(["visa"], hypothesis) == value


@given(TEXTS, TEXTS)
def test_the_similarity_is_between_0_and_1(reference, hypothesis):
    assert nist(reference, hypothesis) >= 0
    assert 0 <= nist_similarity(reference, hypothesis) <= 1


@given(TEXTS.filter(bool))
def test_the_same_text_has_similarity_1(text):
    assert nist_similarity(text, text) == 1


@pytest.mark.parametrize("text", [[], ["\u200b"], ["🙂"], ["قطر"], ["word"] * 10_000])
def test_any_text_has_a_finite_value(text):
    assert isfinite(nist_similarity(text, ["good", "oil"]))
    assert isfinite(nist_similarity(["good", "oil"], text))
