"""Which word of the other text covers a word, and how much of it: the matching of SCIR-QA.

`a_ij = cos(s_i, t_j)`, `k = argmax_j a_ij`, `ŝ_i = Σ_{j=k−w}^{k+w} a_ij t_j / Σ a_ij`; then the linear
decomposition `α = cos(s_i, ŝ_i)`, `s⁺ = α s`, `s⁻ = (1−α) s` (Q17, eq. 5 to 7; Wang et al. 2016, §3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from askagain.encoders.texts import Rows, Texts
from askagain.encoders.vectors import Floats, Ints, Offsets
from askagain.rerank.matching.pairs import FilledTexts, WordPairs, filled, per_word

NOBODY = -1
_LEAST = 1e-6
_ROWS = 1024
"""So many words are compared with all words of the other text at a time: long texts need no more memory."""


class Coverage(NamedTuple):
    """For each word of a text its best partner in the other, and the part α of it that the other covers.

    A word without a vector (all zeros), a word that is like no word of the other text, and any word when the
    other text is empty have the partner -1 and α = 0: all of it is dissimilar.
    """

    partners: Ints
    covered: Floats


def align(words: Floats, others: Floats, neighbours: int) -> Coverage:
    """How the other text covers each word of a text; both as vectors [words, d].

    The sum of the weights a_ij must be positive, or else the mean would point away from the words it is of
    (or nowhere): a word for which it is not is covered by nothing. So α is from 0 to 1.
    """
    partners = np.full(len(words), NOBODY, dtype=np.int32)
    covered = np.zeros(len(words), dtype=np.float32)
    if len(words) and len(others):
        units, other_units = _units(words), _units(others)
        for start in range(0, len(words), _ROWS):
            rows = slice(start, start + _ROWS)
            partners[rows], covered[rows] = _cover(units[rows], other_units, others, neighbours)
    return Coverage(partners, covered)


def _cover(units: Floats, other_units: Floats, others: Floats, neighbours: int) -> Coverage:
    similarities = units @ other_units.T
    best = similarities.argmax(axis=1)
    rows = np.arange(len(units))
    weights = np.zeros(len(units), dtype=np.float32)
    sums = np.zeros_like(units)
    reach = min(neighbours, len(others) - 1)
    for place in range(-reach, reach + 1):
        partner = best + place
        inside = (partner >= 0) & (partner < len(others))
        partner = np.where(inside, partner, 0)
        weight = np.where(inside, similarities[rows, partner], 0)
        weights += weight
        sums += weight[:, None] * others[partner]
    there = (weights > _LEAST) & (similarities[rows, best] > _LEAST)
    # A mean points where its sum points: the cosine needs no division by the weights.
    covered = np.clip(np.einsum("wd,wd->w", units, _units(sums)), 0, 1)
    return Coverage(np.where(there, best, NOBODY).astype(np.int32), np.where(there, covered, 0))


def _units(vectors: Floats) -> Floats:
    """With length 1; a vector that has none stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units


def decompose(words: Floats, covered: Floats) -> tuple[Floats, Floats]:
    """The similar part `α s` and the dissimilar part `(1−α) s` of words [words, d]: their sum is s."""
    return covered[:, None] * words, (1 - covered)[:, None] * words


@dataclass(frozen=True, slots=True)
class AlignedTexts:
    """Texts with the part of each of their words that the other text of the pair covers: [texts, longest]."""

    texts: FilledTexts
    covered: Floats


@dataclass(frozen=True, slots=True)
class AlignedBatch:
    """Pairs of texts over a table of word vectors [words, d], and the pairs' features [pairs, f]."""

    vectors: Floats
    first: AlignedTexts
    second: AlignedTexts
    features: Floats


@dataclass(frozen=True, slots=True)
class AlignedPairs:
    """Pairs with features [pairs, f] and word vectors [words, d], and how much of each word is covered."""

    pairs: WordPairs
    vectors: Floats
    features: Floats
    first_covered: Floats
    second_covered: Floats

    @property
    def lengths(self) -> Offsets:
        """The words of both texts."""
        return self.pairs.lengths

    def batch(self, rows: Rows) -> AlignedBatch:
        """These pairs, in this order."""
        return AlignedBatch(
            self.vectors,
            _aligned_texts(self.pairs.first, self.first_covered, rows),
            _aligned_texts(self.pairs.second, self.second_covered, rows),
            self.features[rows],
        )


def _aligned_texts(texts: Texts, covered: Floats, rows: Rows) -> AlignedTexts:
    return AlignedTexts(filled(texts, rows), per_word(covered, texts, rows, 0))


def align_pairs(pairs: WordPairs, vectors: Floats, features: Floats, neighbours: int) -> AlignedPairs:
    """Every word of every pair; the word vectors do not learn, so that once is enough."""
    first, second = [vectors[:0, 0]], [vectors[:0, 0]]
    for pair in range(len(pairs)):
        words, others = vectors[pairs.first[pair]], vectors[pairs.second[pair]]
        first.append(align(words, others, neighbours).covered)
        second.append(align(others, words, neighbours).covered)
    return AlignedPairs(pairs, vectors, features, np.concatenate(first), np.concatenate(second))
