"""Words with similar meaning, by their vectors."""

import numpy as np
import pytest

from askagain.encoders.wordvectors import WordVectors
from askagain.explanations.aligning import Aligner

WORDS = {
    "stick": (1.0, 0.0),
    "drive": (0.9, 0.1),
    "disk": (0.8, 0.3),
    "rice": (0.0, 1.0),
    "12.04": (0.0, 1.0),
    "14.04": (0.0, 1.0),
    "void": (0.0, 0.0),
}
ALIGNER = Aligner(WordVectors(tuple(WORDS), np.array(list(WORDS.values()), dtype=np.float32)).units)


def pairs(words: list[str], others: list[str]) -> list[tuple[str, str]]:
    return [(pair.first, pair.second) for pair in ALIGNER.pairs(words, others)]


def test_the_most_similar_word_is_taken() -> None:
    assert pairs(["stick"], ["disk", "drive", "rice"]) == [("stick", "drive")]


def test_each_word_is_in_one_pair() -> None:
    assert pairs(["stick", "disk"], ["drive"]) == [("stick", "drive")]


def test_the_similarity_is_the_cosine() -> None:
    assert ALIGNER.pairs(["stick"], ["disk"])[0].similarity == pytest.approx(0.8 / np.hypot(0.8, 0.3))


@pytest.mark.parametrize(
    ("word", "other"), [("stick", "rice"), ("12.04", "14.04"), ("stick", "zebra"), ("void", "void")]
)
def test_words_far_apart_with_digits_or_without_a_vector_are_not_paired(word: str, other: str) -> None:
    assert pairs([word], [other]) == []


@pytest.mark.parametrize(("words", "others"), [([], ["stick"]), (["stick"], []), ([], [])])
def test_nothing_is_similar_to_nothing(words: list[str], others: list[str]) -> None:
    assert pairs(words, others) == []
