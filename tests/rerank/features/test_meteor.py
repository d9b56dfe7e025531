"""METEOR of one pair: by hand, and as nltk's."""

import time
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from askagain.rerank.features.mt.meteor import meteor

TEXTS = st.lists(
    st.sampled_from(
        ["where", "can", "i", "buy", "purchase", "good", "oils", "massages", "oil", "massage", "car", "auto"]
    ),
    max_size=12,
)


def test_equal_words_count_in_any_case():
    assert meteor(["Oil"], ["oil"]) == pytest.approx(0.5)


def test_words_with_the_same_stem_are_aligned():
    assert meteor(["massages", "oils"], ["massage", "oil"]) == pytest.approx(1 - 0.5 * (1 / 2) ** 3)


def test_synonyms_are_aligned():
    assert meteor(["the", "car"], ["the", "auto"]) == pytest.approx(1 - 0.5 * (1 / 2) ** 3)


def test_recall_weighs_nine_times_as_much_as_precision():
    precision, recall = 1, 2 / 3
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    assert meteor(["a", "b", "c"], ["a", "b"]) == pytest.approx(mean * (1 - 0.5 * (1 / 2) ** 3))


def test_every_break_in_the_order_costs():
    assert meteor(["a", "b", "c", "d"], ["c", "d", "a", "b"]) == pytest.approx(1 - 0.5 * (2 / 4) ** 3)


def test_it_is_nltks_for_real_questions(word_pairs):
    for reference, hypothesis in word_pairs:
        assert meteor(reference, hypothesis) == pytest.approx(
            meteor_score([reference], hypothesis), abs=1e-12
        )


@given(TEXTS, TEXTS)
def test_it_is_nltks_for_any_order_of_repeated_words(reference, hypothesis):
    value = meteor(reference, hypothesis)
    assert value == pytest.approx(meteor_score([reference], hypothesis), abs=1e-12)
    assert 0 <= value < 1


@given(TEXTS.filter(bool))
def test_the_same_text_lacks_what_its_one_chunk_costs(text):
    assert meteor(text, text) == pytest.approx(1 - 0.5 / len(text) ** 3)


@pytest.mark.parametrize("text", [[], [""], ["\u200b"], ["🙂"], ["قطر"], ["word"] * 10_000])
def test_any_text_has_a_finite_value(text):
    assert isfinite(meteor(text, ["good", "oil"]))
    assert isfinite(meteor(["good", "oil"], text))
    assert meteor([], []) == 0


def test_thousands_of_synonyms_take_no_quadratic_time():
    before = time.process_time()
    assert 0 < meteor(["car"] * 10_000, ["auto"] * 10_000) < 1
    assert time.process_time() - before < 2
