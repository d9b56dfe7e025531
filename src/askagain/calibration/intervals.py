"""How sure a share of counted things is."""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.evaluation.metrics import FloatArray

TWO_SIDED_95: Final = 1.959964
"""The normal quantile that leaves 2.5% on either side."""


def wilson_interval(shares: FloatArray, counts: FloatArray, quantile: float) -> tuple[FloatArray, FloatArray]:
    """The lower and the upper ends for shares of `counts` > 0 things (Wilson 1927)."""
    squared = quantile**2
    middle = (shares + squared / (2 * counts)) / (1 + squared / counts)
    variance = shares * (1 - shares) / counts + squared / (4 * counts**2)
    half = quantile * np.sqrt(variance) / (1 + squared / counts)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
