"""Compiles every kernel of trees."""

from __future__ import annotations

import numpy as np

from askagain.rerank.trees.trees import Trees


def warm_up() -> None:
    """Scores a pair with a tree of one leaf; numba keeps what it compiles on the way."""
    whole = {name: np.zeros(1, dtype=np.int32) for name in ("features", "left", "right", "unknown_left")}
    real = {name: np.zeros(1) for name in ("borders", "values", "baseline", "threshold")}
    trees = Trees({**whole, **real, "offsets": np.array([0, 1])}, features=1)
    trees.score(np.zeros((1, 1)))
    trees.shares(np.zeros(1))
