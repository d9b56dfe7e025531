"""Small trees by hand, and matrices with everything that a feature can be."""

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.weightfile import Arrays

FEATURES = 3


def two_trees() -> dict[str, NDArray]:
    """The first looks at feature 0, and right of its border at feature 2; the second is one leaf.

    0: feature 0 up to 1.5        5: a leaf
    ├ 1: −0.5
    └ 2: feature 2 up to −2, what is unknown goes to the left
      ├ 3: 0.25
      └ 4: 2.0
    """
    return {
        "features": np.array([0, 0, 2, 0, 0, 0], dtype=np.int32),
        "borders": np.array([1.5, 0, -2, 0, 0, 0]),
        "left": np.array([1, 1, 3, 3, 4, 5], dtype=np.int32),
        "right": np.array([2, 1, 4, 3, 4, 5], dtype=np.int32),
        "values": np.array([0, -0.5, 1, 0.25, 2, 0]),
        "unknown_left": np.array([0, 0, 1, 0, 0, 0], dtype=np.int8),
        "offsets": np.array([0, 5, 6], dtype=np.int32),
        "baseline": np.array([10.0]),
        "threshold": np.array([9.0]),
    }


def slow_score(arrays: Arrays, row: NDArray) -> float:
    """One node after the other, as the arrays are described."""
    score = float(arrays["baseline"][0])
    for root in arrays["offsets"][:-1]:
        node = root
        while arrays["left"][node] != node:
            value = row[arrays["features"][node]]
            left = arrays["unknown_left"][node] if np.isnan(value) else value <= arrays["borders"][node]
            node = arrays["left" if left else "right"][node]
        score += arrays["values"][node]
    return score


def wild(rows: int, columns: int, seed: int, borders: NDArray | None = None) -> NDArray[np.float64]:
    """Numbers, what is unknown, infinities, huge and tiny ones, and such as equal a border."""
    chance = np.random.default_rng(seed)
    matrix = chance.normal(size=(rows, columns))
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, -1e308, 5e-324])
    for values, share in ((special, 0.3), (borders, 0.4)):
        if values is not None:
            chosen = chance.random(matrix.shape) < share
            matrix[chosen] = chance.choice(values, chosen.sum())
    return matrix
