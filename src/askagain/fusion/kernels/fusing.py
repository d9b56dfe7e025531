"""The results of several retrievers as one list."""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.jit import Array, Arrays, compiled

# Cormack, Clarke and Büttcher 2009: what a first place counts more than a second.
_RECIPROCAL_RANK: Final = 60

GONE: Final = -1
"""The place of what is not there any more."""


@compiled
def by_reciprocal_rank(
    found: Array, starts: Array, retrievers: int, own: Array, places: int, depth: int
) -> Arrays:
    """The different places found for each question, and where its list begins: the highest Σ 1 / (60 + rank)
    first, of equals the one that was met first.

    Result r of question q is `found[starts[q * retrievers + r]:starts[q * retrievers + r + 1]]`, of which the
    first `depth` count that are not gone, nor the question's `own` place; all are below `places`.
    """
    lists = len(own)
    sums = np.zeros(places)
    fused, fused_starts = np.empty(len(found), dtype=np.int64), np.zeros(lists + 1, dtype=np.int64)
    met = np.empty(places, dtype=np.int64)
    end = 0
    for question in range(lists):
        count = 0
        for result in range(question * retrievers, (question + 1) * retrievers):
            rank = 0
            for place in found[starts[result] : starts[result + 1]]:
                if rank == depth:
                    break
                if place == GONE or place == own[question]:
                    continue
                rank += 1
                if sums[place] == 0.0:
                    met[count] = place
                    count += 1
                sums[place] += 1 / (_RECIPROCAL_RANK + rank)
        for place in np.argsort(-sums[met[:count]], kind="mergesort"):
            fused[end] = met[place]
            end += 1
        for place in met[:count]:
            sums[place] = 0.0
        fused_starts[question + 1] = end
    return fused[:end], fused_starts
