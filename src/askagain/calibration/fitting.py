"""Fits a calibration to marks, in the way that fits their number."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from askagain.calibration.calibration import SILENCE, Calibration, kept
from askagain.calibration.examples import Examples, make_examples
from askagain.calibration.isotonic import fit_isotonic
from askagain.calibration.logistic import fit_logistic
from askagain.calibration.thresholds import precision_recall, threshold_for
from askagain.calibration.wishes import PRECISION
from askagain.tables import check_range

FEWEST: Final = 20
"""Of duplicates, and of other pairs. With fewer, the two numbers of a logistic curve are mostly luck."""

ISOTONIC_EXAMPLES: Final = 1000
"""Below, isotonic regression fits the accidents of the sample (Niculescu-Mizil and Caruana 2005, §5)."""

ISOTONIC_DUPLICATES: Final = 200
"""They are the rare kind: what was found for 1000 balanced examples asks for some hundreds of them."""


def fit_calibration(
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    default: Calibration,
    precision: float = PRECISION,
    weights: ArrayLike | None = None,
    repeated: float = 1.0,
) -> Calibration:
    """The probabilities of scores, from pairs that the scoring system has not learned from.

    `labels` are true for duplicates. `weights` say how many pairs each stands for, where some were drawn
    more often than others; only their ratios matter. With too few marks the default is returned, as one. A
    pair that is there several times (`repeated`, on average) tells no more than one that is there once.
    """
    check_range("the wished precision", precision, 0, 1)
    examples = make_examples(scores, labels, weights)
    different = examples.duplicates / repeated
    if min(different, examples.others) < FEWEST:
        return default.as_default(precision)
    is_large = different >= ISOTONIC_DUPLICATES and len(examples.scores) >= ISOTONIC_EXAMPLES
    fitted = _isotonic(examples, precision) if is_large else _logistic(examples, precision)
    return _with_threshold(fitted, examples, repeated)


def _isotonic(examples: Examples, precision: float) -> Calibration:
    centres, log_odds = fit_isotonic(examples)
    rounded = kept(centres)
    # Centres that are equal when rounded are one knot.
    first = np.unique(rounded, return_index=True)[1].tolist()
    knots = tuple(rounded[place] for place in first)
    heights = kept(log_odds[first])
    return Calibration(
        "isotonic", knots, heights, 0.0, len(examples.scores), examples.duplicates, precision, SILENCE
    )


def _logistic(examples: Examples, precision: float) -> Calibration:
    curve = fit_logistic(examples)
    [knot] = kept([curve.centre])
    height = curve.slope * (knot - curve.centre) + curve.height
    count = len(examples.scores)
    return Calibration(
        "logistic", (knot,), kept([height]), curve.slope, count, examples.duplicates, precision, SILENCE
    )


def _with_threshold(fitted: Calibration, examples: Examples, repeated: float) -> Calibration:
    """The examples may serve twice: a rising map keeps their order, on which alone the threshold depends."""
    curve = precision_recall(fitted.probabilities(examples.scores), examples.labels, examples.weights)
    return replace(fitted, threshold=threshold_for(curve, fitted.precision, repeated))
