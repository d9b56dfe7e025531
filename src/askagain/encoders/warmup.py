"""Compiles the kernels with which a model encodes a few questions."""

from __future__ import annotations

import numpy as np

from askagain.encoders.products import product


def warm_up() -> None:
    """Makes products with matrices in memory and with read-only ones, as a model's files have them."""
    for writeable in (True, False):
        matrix = np.ones((2, 2), dtype=np.float32)
        matrix.flags.writeable = writeable
        product(np.ones((1, 2), dtype=np.float32), matrix)
        product(np.ones((1, 2), dtype=np.float32), matrix.T)
