"""How well each word of a title has a counterpart in the other title, by the words' vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from askagain.encoders.wordvectors import VectorsOf
from askagain.jit import Array, compiled
from askagain.rerank.matrix import Matrix

ALIGNMENT_SIGNALS: Final = ("aligned.asked", "aligned.found", "aligned.least")

_MOST_WORDS: Final = 40


def alignment_signals(
    asked: Sequence[str],
    found: Sequence[Sequence[str]],
    weights: Mapping[str, float],
    vectors_of: VectorsOf,
) -> Matrix:
    """[titles, 3]: the weighted mean, over the asked words, of the largest cosine with a word of the title;
    the same over the title's words; and the largest cosine of the asked word that fares worst, weighed.
    """
    mine = list(asked[:_MOST_WORDS])
    theirs = [list(title[:_MOST_WORDS]) for title in found]
    signals = np.zeros((len(theirs), len(ALIGNMENT_SIGNALS)))
    distinct = {word: row for row, word in enumerate(dict.fromkeys(w for title in theirs for w in title))}
    if not mine or not distinct:
        return signals
    cosines = vectors_of(mine) @ vectors_of(list(distinct)).T
    rows = np.array([distinct[word] for title in theirs for word in title], dtype=np.int64)
    ends = np.cumsum([0, *map(len, theirs)], dtype=np.int64)
    _align(
        cosines.astype(np.float64), rows, ends,
        np.array([weights[word] for word in mine]), np.array([weights[word] for word in distinct]), signals,
    )  # fmt: skip
    return signals


@compiled
def _align(cosines: Array, rows: Array, ends: Array, mine: Array, theirs: Array, signals: Array) -> None:
    asked = len(cosines)
    best = np.empty(asked)
    heaviest = mine.max()
    for title in range(len(signals)):
        start, end = ends[title], ends[title + 1]
        if start == end:
            continue
        best[:] = 0.0
        total, weight = 0.0, 0.0
        for place in range(start, end):
            row = rows[place]
            largest = 0.0
            for word in range(asked):
                cosine = cosines[word, row]
                best[word] = max(best[word], cosine)
                largest = max(largest, cosine)
            total += theirs[row] * largest
            weight += theirs[row]
        covered, lost = 0.0, 0.0
        for word in range(asked):
            covered += mine[word] * best[word]
            lost = max(lost, mine[word] * (1.0 - best[word]))
        signals[title, 0] = covered / max(mine.sum(), 1e-12)
        signals[title, 1] = total / max(weight, 1e-12)
        signals[title, 2] = 1.0 - lost / max(heaviest, 1e-12)
