"""How far probabilities can be trusted, and how well they order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from askagain.calibration.intervals import TWO_SIDED_95, wilson_interval
from askagain.calibration.thresholds import PrecisionRecallCurve

BINS: Final = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The pairs whose probability is above `start` and at most `end`; the first bin has 0 as well.

    `low` and `high` are the ends of the 95% interval of the observed frequency (Wilson 1927).
    """

    start: float
    end: float
    probability: float
    frequency: float
    low: float
    high: float
    count: int


def reliability_bins(
    probabilities: ArrayLike, labels: ArrayLike, bins: int = BINS
) -> tuple[ReliabilityBin, ...]:
    """Bins of equal width, with the mean probability and the share of duplicates; empty ones are left out."""
    values = np.asarray(probabilities, dtype=np.float64)
    edges = np.arange(bins + 1) / bins
    numbers = np.maximum(np.searchsorted(edges, values, side="left") - 1, 0)
    counts = np.bincount(numbers, minlength=bins)
    there = np.flatnonzero(counts)
    sizes = counts[there].astype(np.float64)
    means = np.bincount(numbers, values, bins)[there] / sizes
    frequencies = np.bincount(numbers, np.asarray(labels, dtype=bool), bins)[there] / sizes
    lows, highs = wilson_interval(frequencies, sizes, TWO_SIDED_95)
    columns = (edges[there], edges[there + 1], means, frequencies, lows, highs, counts[there])
    return tuple(ReliabilityBin(*row) for row in zip(*(column.tolist() for column in columns), strict=True))


def expected_calibration_error(probabilities: ArrayLike, labels: ArrayLike, bins: int = BINS) -> float:
    """Σ over the bins of (pairs in it / all pairs) · |observed frequency - mean probability|; 0 of nothing.

    Naeini, Cooper and Hauskrecht (2015), with bins of equal width.
    """
    found = reliability_bins(probabilities, labels, bins)
    total = sum(each.count for each in found)
    return sum(each.count / total * abs(each.frequency - each.probability) for each in found)


def brier_score(probabilities: ArrayLike, labels: ArrayLike) -> float:
    """The mean of (probability - label)² (Brier 1950); 0 of nothing."""
    errors = np.asarray(probabilities, dtype=np.float64) - np.asarray(labels, dtype=bool)
    return float(np.mean(errors**2)) if errors.size else 0.0


def average_precision(curve: PrecisionRecallCurve) -> float:
    """Σ precision · the recall that each threshold adds; pairs of one probability count together."""
    return float(np.sum(curve.precisions * np.diff(curve.recalls, prepend=0.0)))
