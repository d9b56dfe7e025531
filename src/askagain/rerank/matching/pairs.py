"""Many pairs of texts as numbers of words, and batches of pairs of like length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from askagain.encoders.texts import Rows, Texts, packed
from askagain.encoders.vectors import Floats, Ints, Offsets

Batch = TypeVar("Batch", covariant=True)
Value = TypeVar("Value", np.int32, np.float32)

_SORTED_TOGETHER = 16
"""So many batches are drawn at random, and only then cut by length: a text's length teaches nothing."""


@dataclass(frozen=True, slots=True)
class WordPairs:
    """Pair i has the texts `first[i]` and `second[i]`; a word is the number of a row in a table of vectors.

    A word without a vector is left out, or has a row of zeros.
    """

    first: Texts
    second: Texts

    def __len__(self) -> int:
        return len(self.first)

    @property
    def lengths(self) -> Offsets:
        """How much there is to do for each pair."""
        return self.first.lengths + self.second.lengths

    def take(self, rows: Rows | Sequence[int]) -> WordPairs:
        """Some of the pairs, in this order."""
        return WordPairs(self.first.take(rows), self.second.take(rows))


def word_pairs(pairs: Iterable[tuple[Sequence[int] | Ints, Sequence[int] | Ints]]) -> WordPairs:
    """Pairs of texts from lists of word numbers."""
    both = list(pairs)
    return WordPairs(packed(first for first, _ in both), packed(second for _, second in both))


class Inputs(Protocol[Batch]):
    """What a network reads: pairs with all that it wants to know of them."""

    @property
    def lengths(self) -> Offsets:
        """How much there is to do for each pair; pairs that are alike in it share a batch."""

    def batch(self, rows: Rows) -> Batch:
        """These pairs, in this order."""


@dataclass(frozen=True, slots=True)
class FilledTexts:
    """Some texts: ids [texts, longest], filled up with -1, and each text's length."""

    ids: Ints
    lengths: Offsets


def filled(texts: Texts, rows: Rows) -> FilledTexts:
    """Some of the texts, in this order."""
    lengths = texts.lengths[rows]
    return FilledTexts(per_word(texts.ids, texts, rows, -1), lengths)


def per_word(values: NDArray[Value], texts: Texts, rows: Rows, filling: float) -> NDArray[Value]:
    """What `values` has for each word of all texts, for some of the texts: [texts, longest]."""
    lengths = texts.lengths[rows]
    there = np.arange(lengths.max(initial=0)) < lengths[:, None]
    out = np.full(there.shape, filling, dtype=values.dtype)
    places = texts.offsets[rows][:, None] + np.arange(there.shape[1])
    out[there] = values[places[there]]
    return out


def row_batches(lengths: Offsets, size: int, generator: Generator | None = None) -> Iterator[Rows]:
    """All pairs once, in batches of like length; in random order if there is a generator."""
    order = np.arange(len(lengths)) if generator is None else generator.permutation(len(lengths))
    together = len(order) if generator is None else size * _SORTED_TOGETHER
    batches = []
    for start in range(0, len(order), max(1, together)):
        some = order[start : start + together]
        some = some[np.argsort(lengths[some], kind="stable")]
        batches += [some[first : first + size] for first in range(0, len(some), size)]
    if generator is not None:
        batches = [batches[place] for place in generator.permutation(len(batches))]
    yield from batches


@dataclass(frozen=True, slots=True)
class FeaturedBatch:
    """Pairs of texts over a table of word vectors [words, d], and the pairs' features [pairs, f]."""

    vectors: Floats
    first: FilledTexts
    second: FilledTexts
    features: Floats


@dataclass(frozen=True, slots=True)
class FeaturedPairs:
    """Pairs with word vectors [words, d] and with features [pairs, f] that were measured on the texts."""

    pairs: WordPairs
    vectors: Floats
    features: Floats

    @property
    def lengths(self) -> Offsets:
        """The words of both texts."""
        return self.pairs.lengths

    def batch(self, rows: Rows) -> FeaturedBatch:
        """These pairs, in this order."""
        first, second = filled(self.pairs.first, rows), filled(self.pairs.second, rows)
        return FeaturedBatch(self.vectors, first, second, self.features[rows])
