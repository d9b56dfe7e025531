"""How well each word of a title has a counterpart in the other title, by the words' vectors."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.wordvectors import VectorsOf
from askagain.fusion.kernels.numbering import Titles
from askagain.fusion.lists import ListArrays
from askagain.jit import Array, Arrays, compiled, inlined, vectorised
from askagain.rerank.matrix import Matrix

ALIGNMENT_SIGNALS: Final = ("aligned.asked", "aligned.found", "aligned.least")


def alignment_signals(
    titles: Titles, weights: NDArray[np.float64], vectors_of: VectorsOf, lists: ListArrays
) -> Matrix:
    """[found, 3]: the weighted mean, over the asked words, of the largest cosine with a word of the title
    found; the same over its words; and the largest cosine of the asked word that fares worst, weighed.
    """
    signals = np.zeros((len(lists[1]), len(ALIGNMENT_SIGNALS)))
    if len(signals) and titles.texts:
        vectors = np.ascontiguousarray(vectors_of(titles.texts))
        _align_lists(vectors, titles.numbers, titles.starts, weights[titles.stems], lists, signals)
    return signals


@compiled
def _align_lists(
    vectors: Array, words: Array, starts: Array, weights: Array, lists: Arrays, signals: Array
) -> None:
    """Fills a row for each title found. A word's cosines with the asked words are made once in a list."""
    asked, found, list_starts = lists
    column_of = np.full(len(weights), -1, dtype=np.int32)
    for place in range(len(asked)):
        own = words[starts[asked[place]] : starts[asked[place] + 1]]
        others = found[list_starts[place] : list_starts[place + 1]]
        if len(own) == 0 or len(others) == 0:
            continue
        different = _different_words(words, starts, others, column_of)
        cosines = _cosines(vectors, own, different)
        for row in range(len(others)):
            title = words[starts[others[row]] : starts[others[row] + 1]]
            _align(cosines, own, title, column_of, weights, signals[list_starts[place] + row])
        for word in different:
            column_of[word] = -1


@inlined
def _different_words(words: Array, starts: Array, titles: Array, column_of: Array) -> Array:
    """The words of some titles, each once; `column_of` tells the place of each."""
    most = 0
    for title in titles:
        most += starts[title + 1] - starts[title]
    different = np.empty(most, dtype=np.int32)
    count = 0
    for title in titles:
        for word in words[starts[title] : starts[title + 1]]:
            if column_of[word] < 0:
                column_of[word] = count
                different[count] = word
                count += 1
    return different[:count]


@vectorised
def _product(one: Array, other: Array) -> np.float32:
    total = np.float32(0.0)
    for place in range(len(one)):
        total += one[place] * other[place]
    return total


@compiled
def _cosines(vectors: Array, own: Array, others: Array) -> Array:
    """[own words, other words], of vectors of unit length."""
    cosines = np.empty((len(own), len(others)))
    for row in range(len(own)):
        for column in range(len(others)):
            cosines[row, column] = _product(vectors[own[row]], vectors[others[column]])
    return cosines


@compiled
def _align(
    cosines: Array, own: Array, title: Array, column_of: Array, weights: Array, signals: Array
) -> None:
    if len(title) == 0:
        return
    best = np.zeros(len(own))
    total, weight = 0.0, 0.0
    for word in title:
        largest = 0.0
        for row in range(len(own)):
            cosine = cosines[row, column_of[word]]
            best[row] = max(best[row], cosine)
            largest = max(largest, cosine)
        total += weights[word] * largest
        weight += weights[word]
    covered, lost, mine, heaviest = 0.0, 0.0, 0.0, 0.0
    for row in range(len(own)):
        heavy = weights[own[row]]
        mine += heavy
        heaviest = max(heaviest, heavy)
        covered += heavy * best[row]
        lost = max(lost, heavy * (1.0 - best[row]))
    signals[0] = covered / max(mine, 1e-12)
    signals[1] = total / max(weight, 1e-12)
    signals[2] = 1.0 - lost / max(heaviest, 1e-12)
