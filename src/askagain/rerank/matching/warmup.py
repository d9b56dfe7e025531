"""Compiles every kernel with which networks judge pairs, where torch is installed."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np


def warm_up() -> None:
    """Judges a pair of two words; numba keeps what it compiles on the way."""
    if find_spec("torch") is None:
        return
    from askagain.rerank.matching.alignment import align_pairs
    from askagain.rerank.matching.decomposition_network import DecompositionNetwork
    from askagain.rerank.matching.fitting import probabilities
    from askagain.rerank.matching.pairs import FeaturedPairs, word_pairs
    from askagain.rerank.matching.settings import DecompositionSettings, UnimelbSettings
    from askagain.rerank.matching.unimelb_network import UnimelbNetwork

    vectors, features = np.eye(2, dtype=np.float32), np.zeros((1, 1), dtype=np.float32)
    pairs = word_pairs([([0], [1])])
    small = DecompositionSettings(filters=1)
    aligned = align_pairs(pairs, vectors, features, small.neighbours)
    probabilities(DecompositionNetwork(small, 2, 1), aligned)
    probabilities(
        UnimelbNetwork(UnimelbSettings(hidden=1, layers=1), 2, 1), FeaturedPairs(pairs, vectors, features)
    )
