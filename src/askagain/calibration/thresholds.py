"""From which probability on a system may speak: precision and recall at every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askagain.calibration.calibration import SILENCE
from askagain.calibration.intervals import wilson_interval
from askagain.evaluation.metrics import FloatArray, ratio

CAUTION: Final = 0.841621
"""The normal quantile of a one-sided 80% interval.

A threshold must hold the wished precision at the lower end of Wilson's interval, else the first few pairs
reach any precision by luck: for 0.9, seven pairs without a mistake are the fewest, and 100 pairs need 93
right ones. A stricter level would silence small forums; with many pairs no level makes a difference.
"""


class OperatingPoint(NamedTuple):
    """What a threshold gives; without a pair at or above it there is no precision."""

    threshold: float
    precision: float | None
    recall: float
    shown: int


@dataclass(frozen=True, slots=True)
class PrecisionRecallCurve:
    """Every distinct probability as a threshold, highest first, with what is at or above it.

    `counts` are pairs; with unequal weights, the number of equal ones that would tell as much (Kish 1965).
    """

    probabilities: FloatArray
    precisions: FloatArray
    recalls: FloatArray
    counts: FloatArray

    def at(self, threshold: float) -> OperatingPoint:
        """What is at or above a threshold."""
        place = int(np.searchsorted(-self.probabilities, -threshold, side="right")) - 1
        if place < 0:
            return OperatingPoint(threshold, None, 0.0, 0)
        precision, recall, count = (
            float(values[place]) for values in (self.precisions, self.recalls, self.counts)
        )
        return OperatingPoint(threshold, precision, recall, round(count))


def precision_recall(
    probabilities: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None
) -> PrecisionRecallCurve:
    """The curve of labelled pairs."""
    values = np.asarray(probabilities, dtype=np.float64)
    every_weight = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.argsort(-values, kind="stable")
    values, shares = values[order], every_weight[order]
    # Pairs of one probability are taken together: the last of each stands for all.
    last = np.flatnonzero(np.diff(values, append=-np.inf))
    found, total, squares = (
        np.cumsum(sums)[last] for sums in (shares * np.asarray(labels, dtype=bool)[order], shares, shares**2)
    )
    duplicates = found[-1] if len(found) else 0.0
    return PrecisionRecallCurve(
        values[last], ratio(found, total), ratio(found, np.full_like(found, duplicates)), total**2 / squares
    )


def threshold_for(curve: PrecisionRecallCurve, precision: float, repeated: float = 1.0) -> float:
    """The lowest probability at or above which the precision holds, with caution; `SILENCE` if none does.

    Pairs that are there several times, on average, are as many fewer to go by.
    """
    cautious, _ = wilson_interval(curve.precisions, curve.counts / repeated, CAUTION)
    reached = np.flatnonzero(cautious >= precision)
    return float(curve.probabilities[reached[-1]]) if len(reached) else SILENCE
