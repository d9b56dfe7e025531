"""A logistic curve through labelled scores (Platt 1999), for few examples."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from askagain.calibration.calibration import LARGEST
from askagain.calibration.examples import Examples
from askagain.evaluation.metrics import FloatArray

_MOST_STEPS: Final = 100
_SMALL_GRADIENT: Final = 1e-10
_SHORTEST_STEP: Final = 1e-10
# The part of the promised decrease that a step must bring (Armijo).
_ENOUGH: Final = 1e-4
# Keeps the equations solvable where all probabilities are close to 0 or 1.
_RIDGE: Final = 1e-12


class LogisticCurve(NamedTuple):
    """log-odds = slope · (score - centre) + height."""

    centre: float
    slope: float
    height: float


def fit_logistic(examples: Examples) -> LogisticCurve:
    """The curve of the highest likelihood for Platt's targets, among those that do not fall."""
    weights, targets = examples.weights, _targets(examples)
    centre = float(np.average(examples.scores, weights=weights))
    spread = float(np.sqrt(np.average((examples.scores - centre) ** 2, weights=weights)))
    share = float(np.average(targets, weights=weights))
    level = LogisticCurve(centre, 0.0, float(np.log(share / (1 - share))))
    if spread == 0:
        return level
    slope, height = _newton((examples.scores - centre) / spread, targets, weights, level.height)
    # The likelihood is concave: where it wants a falling curve, a level one is the best that does not fall.
    return LogisticCurve(centre, min(slope / spread, LARGEST), height) if slope > 0 else level


def _targets(examples: Examples) -> FloatArray:
    """Instead of 1 and 0, what one more example of each kind would leave of them (Platt 1999, §2.2)."""
    duplicates = float(examples.weights[examples.labels].sum())
    others = float(examples.weights[~examples.labels].sum())
    return np.where(examples.labels, (duplicates + 1) / (duplicates + 2), 1 / (others + 2))


def _newton(x: FloatArray, targets: FloatArray, weights: FloatArray, height: float) -> tuple[float, float]:
    """Newton's method with backtracking, as in Lin, Lin and Weng (2007): slope and height over x."""
    inputs = np.stack([x, np.ones_like(x)])
    curve = np.array([0.0, height])
    for _ in range(_MOST_STEPS):
        probabilities = 1 / (1 + np.exp(-np.clip(curve @ inputs, -500, 500)))
        gradient = inputs @ (weights * (probabilities - targets))
        if np.abs(gradient).max() < _SMALL_GRADIENT * len(x):
            break
        curvature = (inputs * weights * probabilities * (1 - probabilities)) @ inputs.T
        direction = -np.linalg.solve(curvature + _RIDGE * np.eye(2), gradient)
        curve = _step(curve, direction, float(gradient @ direction), inputs, targets, weights)
    return float(curve[0]), float(curve[1])


def _step(
    curve: FloatArray,
    direction: FloatArray,
    promised: float,
    inputs: FloatArray,
    targets: FloatArray,
    weights: FloatArray,
) -> FloatArray:
    before = _loss(curve, inputs, targets, weights)
    length = 1.0
    while length > _SHORTEST_STEP:
        tried = curve + length * direction
        if _loss(tried, inputs, targets, weights) <= before + _ENOUGH * length * promised:
            return tried
        length /= 2
    return curve


def _loss(curve: FloatArray, inputs: FloatArray, targets: FloatArray, weights: FloatArray) -> float:
    log_odds = curve @ inputs
    return float(weights @ (np.logaddexp(0, log_odds) - targets * log_odds))
