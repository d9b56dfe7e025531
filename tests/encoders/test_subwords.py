"""Vectors of unknown words: from n-grams that were fitted to known words."""

from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from real_vectors import glove

from askagain.encoders.subwords import RIDGE, SubwordTable, fit_subwords
from askagain.encoders.vectors import Floats
from askagain.encoders.wordvectors import WordVectors, joined
from askagain.errors import SettingsError

NGRAMS_OF_CAT = ["<ca", "cat", "at>", "<cat", "cat>", "<cat>"]


def test_a_word_is_the_mean_of_its_hashed_ngrams() -> None:
    table = SubwordTable(np.arange(1000, dtype=np.float32)[:, np.newaxis], shortest=3, longest=5)
    buckets = [crc32(ngram.encode()) % 1000 for ngram in NGRAMS_OF_CAT]
    assert table.of("cat") == pytest.approx([np.mean(buckets)])


@pytest.mark.parametrize("word", ["", "a", "größe", "日本", "\ud800", "x" * 10_000])
def test_every_word_has_a_vector(word: str) -> None:
    table = SubwordTable(np.ones((16, 2), dtype=np.float32), shortest=3, longest=5)
    vector = table.of(word)
    assert vector.dtype == np.float32
    assert vector == pytest.approx([0, 0] if word == "" else [1, 1])


def test_the_fit_is_that_of_least_squares_with_a_ridge() -> None:
    words = ("boot", "boots", "booted", "usb", "disk", "disks", "install", "installing", "sound", "sounds")
    rows = np.random.default_rng(1).normal(size=(len(words), 3)).astype(np.float32)
    table = fit_subwords(WordVectors(words, rows), buckets=20)

    means = np.zeros((len(words), 20))
    for row, word in enumerate(words):
        ngrams = [f"<{word}>"[i : i + n] for n in (3, 4, 5) for i in range(len(word) + 3 - n)]
        for ngram in ngrams:
            means[row, crc32(ngram.encode()) % 20] += 1 / len(ngrams)
    expected = np.linalg.solve(means.T @ means + RIDGE * np.eye(20), means.T @ rows)
    np.testing.assert_allclose(table.buckets, expected, atol=1e-3)


def test_the_same_vectors_give_the_same_table() -> None:
    vectors = WordVectors(("boot", "usb"), np.array([[1, 2], [3, 4]], dtype=np.float32))
    assert fit_subwords(vectors).buckets.tobytes() == fit_subwords(vectors).buckets.tobytes()


@pytest.mark.parametrize("words", [(), ("",)], ids=["no words", "a word without n-grams"])
def test_nothing_to_fit_gives_zeros(words: tuple[str, ...]) -> None:
    table = fit_subwords(WordVectors(words, np.ones((len(words), 2), dtype=np.float32)), buckets=8)
    assert table.buckets.tolist() == [[0, 0]] * 8


@pytest.mark.parametrize("wrong", [{"buckets": 0}, {"shortest": 0}, {"shortest": 6}])
def test_impossible_settings_are_refused(wrong: dict[str, int]) -> None:
    vectors = WordVectors(("boot",), np.ones((1, 2), dtype=np.float32))
    with pytest.raises(SettingsError, match=f"{next(iter(wrong))} = {next(iter(wrong.values()))}"):
        fit_subwords(vectors, **wrong)


@pytest.fixture(scope="module")
def real_vectors(data_dir: Path) -> WordVectors:
    return glove(data_dir, "abcs")


@pytest.mark.parametrize("ending", ["s", "ing"])
def test_an_inflected_form_that_was_left_out_is_nearer_to_its_base_than_to_another_word(
    real_vectors: WordVectors, ending: str
) -> None:
    vectors = real_vectors
    inflected = [
        word
        for word in vectors.words
        if word.endswith(ending) and len(word) > len(ending) + 3 and word.removesuffix(ending) in vectors
    ]
    left_out = inflected[::4]
    rest = sorted(set(vectors.words).difference(left_out))
    table = fit_subwords(joined([vectors], rest))

    guesses = np.array([table.of(word) for word in left_out])
    bases = np.array([vectors.of(word.removesuffix(ending)) for word in left_out])
    others = np.random.default_rng(1).permutation(vectors.matrix)[: len(left_out)]
    assert len(left_out) > 100
    assert (cosines(guesses, bases) > cosines(guesses, others)).mean() > 0.95
    assert cosines(guesses, bases).mean() > cosines(guesses, others).mean() + 0.3


def cosines(first: Floats, second: Floats) -> Floats:
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray((first * second).sum(axis=1) / lengths)
