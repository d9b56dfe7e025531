"""Scored pairs whose true probabilities are known."""

import numpy as np

from askagain.calibration.calibration import Calibration, default_calibration
from askagain.evaluation.metrics import BoolArray, FloatArray

DEFAULT: Calibration = default_calibration(slope=4.0, intercept=-2.0)


def drawn_pairs(count: int, *, seed: int = 0, share: float = 0.2) -> tuple[FloatArray, BoolArray]:
    """Scores around 2 for duplicates, around 0 for others, both with a deviation of 1.

    Their log-odds are 2 · score - 2 + log(share / (1 - share)).
    """
    rng = np.random.default_rng(seed)
    labels = rng.random(count) < share
    return rng.normal(np.where(labels, 2.0, 0.0), 1.0), labels


def true_probabilities(scores: FloatArray, share: float = 0.2) -> FloatArray:
    return 1 / (1 + np.exp(-(2 * scores - 2)) * (1 - share) / share)
