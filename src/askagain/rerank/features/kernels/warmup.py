"""Compiles every kernel of the measures."""

from __future__ import annotations

import numpy as np

from askagain.rerank.features.kernels.profiles import profile_products
from askagain.rerank.features.kernels.sequences import best_local_alignment, longest_run, tiled


def warm_up() -> None:
    """Compares a tiny text with itself; characters are read-only, as the bytes of a string are."""
    characters = np.frombuffer("a".encode("utf-32-le"), dtype=np.uint32)
    words = np.zeros(1, dtype=np.int64)
    longest_run(characters, characters)
    profile_products(characters, characters, 1)
    best_local_alignment(words, words, 1, -1, -1)
    tiled(words, words, 1)
