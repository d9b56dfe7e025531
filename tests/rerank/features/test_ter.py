"""TER: by hand, and as sacrebleu's."""

import time
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from sacrebleu.metrics.lib_ter import translation_edit_rate

from askagain.rerank.features.mt.ter import MOST_WORDS, ter, ter_similarity

TEXTS = st.lists(st.sampled_from("abcdef"), max_size=40)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "edits"),
    [
        ("a b c d", "a b c d", 0),
        ("a b c d", "a b c", 1),
        ("a b c", "a b c d", 1),
        ("a b c d", "a x c d", 1),
        ("a b c d e f", "d e f a b c", 1),
    ],
    ids=["same", "inserted", "dropped", "replaced", "shifted"],
)
def test_each_edit_costs_1(reference, hypothesis, edits):
    assert ter(reference.split(), hypothesis.split()) == pytest.approx(edits / len(reference.split()))


def test_the_example_of_snover_et_al():
    reference = [
        "saudi",
        "arabia",
        "denied",
        "this",
        "week",
        "information",
        "published",
        "in",
        "the",
        "american",
        "new",
        "york",
        "times",
    ]
    hypothesis = [
        "this",
        "week",
        "the",
        "saudis",
        "denied",
        "information",
        "published",
        "in",
        "the",
        "new",
        "york",
        "times",
    ]
    assert ter(reference, hypothesis) == pytest.approx(4 / 13)


def test_it_is_sacrebleus_for_real_questions(word_pairs):
    sacrebleu = TER(case_sensitive=True)
    for reference, hypothesis in word_pairs[:225]:  # sacrebleu takes long for long texts
        wanted, given_ = reference[:MOST_WORDS], hypothesis[:MOST_WORDS]
        score = sacrebleu.sentence_score(" ".join(given_), [" ".join(wanted)]).score
        assert ter(reference, hypothesis) == pytest.approx(score / 100, abs=1e-12)


@given(TEXTS.filter(bool), TEXTS)
def test_it_is_sacrebleus_for_texts_that_repeat_their_words(reference, hypothesis):
    edits, _ = translation_edit_rate(hypothesis, reference)
    assert ter(reference, hypothesis) == pytest.approx(edits / len(reference))


def test_it_is_sacrebleus_where_lengths_differ_much():
    reference, hypothesis = list("abcdefghij") * 10, list("jab")
    for wanted, given_ in ((reference, hypothesis), (hypothesis, reference)):
        edits, words = translation_edit_rate(given_, wanted)
        assert ter(wanted, given_) == pytest.approx(edits / words)


@given(TEXTS, TEXTS)
def test_the_similarity_is_above_0_and_at_most_1(reference, hypothesis):
    assert 0 < ter_similarity(reference, hypothesis) <= 1


@given(TEXTS)
def test_the_same_text_has_similarity_1(text):
    assert ter_similarity(text, text) == 1


def test_only_one_text_that_is_empty_is_all_wrong():
    assert ter([], ["oil"]) == ter(["oil"], []) == 1


@pytest.mark.parametrize("text", [[], ["\u200b"], ["🙂"], ["قطر"], ["word"] * 10_000])
def test_any_text_has_a_finite_value(text):
    assert isfinite(ter(text, ["good", "oil"]))
    assert isfinite(ter(["good", "oil"], text))


def test_texts_that_allow_very_many_shifts_take_bounded_time():
    ter(["a"], ["b"])
    before = time.process_time()
    ter(list("abab") * 2_500, list("bbaa") * 2_500)
    assert time.process_time() - before < 1
