"""BLEU of one pair: by hand, and as sacrebleu's sentence BLEU."""

from math import exp, isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from askagain.rerank.features.mt.bleu import bleu

TEXTS = st.lists(st.sampled_from(["where", "can", "i", "buy", "good", "massage", "oil", "here"]), max_size=12)
SACREBLEU = BLEU(effective_order=True, tokenize="none", force=True)


def test_precisions_are_multiplied_and_their_root_taken():
    reference, hypothesis = ["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "x"]
    assert bleu(reference, hypothesis) == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4))


def test_a_word_counts_as_often_as_the_reference_has_it():
    assert bleu(["the", "cat"], ["the"] * 2) == pytest.approx((1 / 2 * (1 / 2) / 1) ** (1 / 2))


def test_lengths_without_a_match_count_as_half_a_match_and_then_a_quarter():
    reference, hypothesis = ["a", "x", "b", "y"], ["a", "b", "z"]
    assert bleu(reference, hypothesis) == pytest.approx(
        (2 / 3 * 0.5 / 2 * 0.25 / 1) ** (1 / 3) * exp(1 - 4 / 3)
    )


def test_a_short_hypothesis_is_penalised():
    assert bleu(["a", "b", "c", "d"], ["a", "b"]) == pytest.approx(exp(1 - 4 / 2))


def test_it_is_sacrebleus_for_real_questions(word_pairs):
    for reference, hypothesis in word_pairs:
        score = SACREBLEU.sentence_score(" ".join(hypothesis), [" ".join(reference)]).score
        assert bleu(reference, hypothesis) == pytest.approx(score / 100, abs=1e-12)


@given(TEXTS, TEXTS)
def test_it_is_between_0_and_1(reference, hypothesis):
    assert 0 <= bleu(reference, hypothesis) <= 1


@given(TEXTS.filter(bool))
def test_the_same_text_has_1(text):
    assert bleu(text, text) == pytest.approx(1)


@pytest.mark.parametrize("text", [[], ["\u200b"], ["🙂"], ["قطر"], ["word"] * 10_000])
def test_any_text_has_a_finite_value(text):
    assert isfinite(bleu(text, ["good", "oil"]))
    assert isfinite(bleu(["good", "oil"], text))
    assert bleu([], []) == 0
