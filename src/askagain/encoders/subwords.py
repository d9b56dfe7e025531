"""Vectors of unknown words from their parts: hashed character n-grams, fitted to the vectors of known words.

As in fastText (Bojanowski et al. 2017, arXiv:1607.04606) a word is the mean of its n-grams; here they are not
trained on text, but found by least squares from vectors that exist (Zhao et al. 2018, arXiv:1809.04259).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np

from askagain.encoders.vectors import Floats, Ints, Offsets
from askagain.encoders.wordvectors import WordVectors
from askagain.jit import Array, Arrays, compiled
from askagain.lexical.parameters import check

NGRAMS: Final = (3, 5)
"""The shortest and the longest n-grams of words that are not known."""

# Both chosen on GloVe vectors, by how near inflected forms that were left out come to their true vectors.
RIDGE: Final = np.float32(0.1)
_STEPS: Final = 15
_TINY: Final = np.float32(1e-30)


@dataclass(frozen=True, slots=True, eq=False)
class SubwordTable:
    """Vectors of hashed n-grams of `shortest` to `longest` characters; buckets: [buckets, dimension]."""

    buckets: Floats
    shortest: int
    longest: int

    def of(self, word: str) -> Floats:
        """The vector of a word, known or not: [dimension]; zeros if it has no n-gram."""
        places = ngram_places(word, len(self.buckets), self.shortest, self.longest)
        if not places:
            return np.zeros(self.buckets.shape[1], dtype=np.float32)
        mean: Floats = self.buckets[places].mean(axis=0)
        return mean


def fit_subwords(
    vectors: WordVectors, buckets: int = 8192, shortest: int = NGRAMS[0], longest: int = NGRAMS[1]
) -> SubwordTable:
    """The table whose means come nearest to the vectors of all words, in the sense of least squares."""
    check(buckets >= 1, "buckets", buckets, "1 or more")
    check(1 <= shortest <= longest, "shortest", shortest, f"from 1 to longest = {longest}")
    places = [ngram_places(word, buckets, shortest, longest) for word in vectors.words]
    means = _Means(
        np.fromiter(chain.from_iterable(places), dtype=np.int32),
        np.cumsum([0, *map(len, places)], dtype=np.int64),
    )
    return SubwordTable(_least_squares(means, vectors.matrix, buckets), shortest, longest)


def ngram_places(word: str, buckets: int, shortest: int, longest: int) -> list[int]:
    """The bucket of each n-gram, by a hash that is the same on every machine.

    The marks tell the beginning and the end of a word from its middle.
    """
    marked = f"<{word}>"
    return [
        crc32(marked[start : start + size].encode("utf-8", errors="surrogatepass")) % buckets
        for size in range(shortest, longest + 1)
        for start in range(len(marked) - size + 1)
    ]


class _Means(NamedTuple):
    """The matrix [words, buckets] whose row i takes the mean of `places[offsets[i]:offsets[i + 1]]`."""

    places: Ints
    offsets: Offsets


def _least_squares(means: _Means, rows: Floats, buckets: int) -> Floats:
    """The table with the least `|means @ table - rows|² + ridge |table|²`: [buckets, dimension].

    Conjugate gradients on the normal equations, for all columns at once.
    """
    table = np.zeros((buckets, rows.shape[1]), dtype=np.float32)
    residual = _spread(means, rows, buckets)
    direction = residual.copy()
    squares = _column_products(residual, residual)
    for _ in range(_STEPS):
        change = _spread(means, _averaged(means, direction), buckets) + RIDGE * direction
        step = squares / np.maximum(_column_products(direction, change), _TINY)
        table += step * direction
        residual -= step * change
        squares, old_squares = _column_products(residual, residual), squares
        direction = residual + squares / np.maximum(old_squares, _TINY) * direction
    return table


def _column_products(first: Floats, second: Floats) -> Floats:
    products: Floats = np.einsum("ij,ij->j", first, second)
    return products


@compiled
def _averaged(means: Arrays, table: Array) -> Array:
    """means @ table: [words, dimension]."""
    places, offsets = means
    rows = np.zeros((len(offsets) - 1, table.shape[1]), dtype=np.float32)
    for word in range(len(rows)):
        count = offsets[word + 1] - offsets[word]
        row = rows[word]
        for place in places[offsets[word] : offsets[word + 1]]:
            row += table[place]
        row /= max(count, 1)
    return rows


@compiled
def _spread(means: Arrays, rows: Array, buckets: int) -> Array:
    """means.T @ rows: [buckets, dimension]."""
    places, offsets = means
    table = np.zeros((buckets, rows.shape[1]), dtype=np.float32)
    for word in range(len(rows)):
        count = offsets[word + 1] - offsets[word]
        share = rows[word] / np.float32(max(count, 1))
        for place in places[offsets[word] : offsets[word + 1]]:
            table[place] += share
    return table
