"""How well each word of a title has a counterpart in the other title, by the words' vectors."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.wordvectors import VectorsOf
from askagain.fusion.kernels.numbering import Titles
from askagain.jit import Array, compiled
from askagain.rerank.matrix import Matrix

ALIGNMENT_SIGNALS: Final = ("aligned.asked", "aligned.found", "aligned.least")


def alignment_signals(titles: Titles, weights: NDArray[np.float64], vectors_of: VectorsOf) -> Matrix:
    """[titles, 3]: the weighted mean, over the asked words, of the largest cosine with a word of the title;
    the same over the title's words; and the largest cosine of the asked word that fares worst, weighed.
    """
    signals = np.zeros((len(titles.starts) - 1, len(ALIGNMENT_SIGNALS)))
    if titles.asked and titles.texts:
        cosines = (vectors_of(titles.asked) @ vectors_of(titles.texts).T).astype(np.float64)
        mine, theirs = weights[titles.asked_stems], weights[titles.stems]
        _align(cosines, titles.numbers, titles.starts, mine, theirs, signals)
    return signals


@compiled
def _align(cosines: Array, words: Array, starts: Array, mine: Array, theirs: Array, signals: Array) -> None:
    asked = len(cosines)
    best = np.empty(asked)
    heaviest = mine.max()
    for title in range(len(signals)):
        start, end = starts[title], starts[title + 1]
        if start == end:
            continue
        best[:] = 0.0
        total, weight = 0.0, 0.0
        for place in range(start, end):
            other = words[place]
            largest = 0.0
            for word in range(asked):
                cosine = cosines[word, other]
                best[word] = max(best[word], cosine)
                largest = max(largest, cosine)
            total += theirs[other] * largest
            weight += theirs[other]
        covered, lost = 0.0, 0.0
        for word in range(asked):
            covered += mine[word] * best[word]
            lost = max(lost, mine[word] * (1.0 - best[word]))
        signals[title, 0] = covered / max(mine.sum(), 1e-12)
        signals[title, 1] = total / max(weight, 1e-12)
        signals[title, 2] = 1.0 - lost / max(heaviest, 1e-12)
