"""Translation edit rate (Snover et al. 2006): edits per word of the reference, where a shift is one edit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askagain.jit import Array, compiled
from askagain.rerank.features.mt.shifts import MATCH, UNIT, shift_and_edit

MOST_WORDS: Final = 100
"""Of a longer text the rest is not read: the search tries up to 1,000 shifts, each in quadratic time."""

_NO_PHRASES: Final = np.empty((0, 5), dtype=np.int64)
_CACHED_PAIRS: Final = 64


def ter(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The edits that make the hypothesis the reference, per word of the reference; 0 for the same text.

    As sacrebleu's TER, divided by 100, on the first 100 words of both texts. Where only one text is empty, 1.
    """
    if not reference or not hypothesis:
        return float(len(reference) != len(hypothesis))
    wanted = tuple(reference[:MOST_WORDS])
    return exact_search(wanted, tuple(hypothesis[:MOST_WORDS])).edits / len(wanted)


def ter_similarity(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """1 / (1 + TER): 1 for the same text, towards 0 the more there is to edit."""
    return 1 / (1 + ter(reference, hypothesis))


class Search(NamedTuple):
    """What a search for shifts has come to."""

    edits: int
    shifts: int
    order: NDArray[np.int64]
    """The words of the hypothesis after the shifts."""


@lru_cache(_CACHED_PAIRS)
def exact_search(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> Search:
    """TER's search; the latest ones are remembered, because TER-Plus looks at them."""
    given = np.fromiter(map(hash, hypothesis), dtype=np.int64)
    wanted = np.fromiter(map(hash, reference), dtype=np.int64)
    order = np.arange(len(given), dtype=np.int64)
    shifts, cost = shift_and_edit(order, _savings(given, wanted), _NO_PHRASES, 0)
    return Search(shifts + cost // UNIT, shifts, order)


@compiled
def _savings(given: Array, wanted: Array) -> Array:
    savings = np.full((len(given), len(wanted)), UNIT, dtype=np.int32)
    for i in range(len(given)):
        for j in range(len(wanted)):
            if given[i] == wanted[j]:
                savings[i, j] = MATCH
    return savings
