"""Compiles every kernel of the metrics; WordNet need not be there."""

from __future__ import annotations

import numpy as np

from askagain.rerank.features.mt import meteor
from askagain.rerank.features.mt.lexicon import Words
from askagain.rerank.features.mt.maxsim import mean_score
from askagain.rerank.features.mt.ter import ter
from askagain.rerank.features.mt.terplus import all_savings


def warm_up() -> None:
    """Compares a word with itself; numba keeps what it compiles on the way."""
    numbers = np.zeros(1, dtype=np.int64)
    word = Words(numbers, numbers, numbers, numbers, numbers, numbers)
    ter(["a"], ["a"])
    all_savings(word, word)
    mean_score(word, word)
    meteor.count(meteor.align(numbers, numbers, numbers, numbers))
