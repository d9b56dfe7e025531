"""The scored pairs with labels that a calibration is fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askagain.calibration.calibration import LARGEST
from askagain.evaluation.metrics import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class Examples:
    """Scores, whether each is that of duplicates, and their weights, which are 1 on average."""

    scores: FloatArray
    labels: BoolArray
    weights: FloatArray

    @property
    def duplicates(self) -> int:
        """How many pairs are duplicates, whatever their weights."""
        return int(self.labels.sum())

    @property
    def others(self) -> int:
        """How many pairs are not."""
        return len(self.labels) - self.duplicates


def make_examples(scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> Examples:
    """Those with a finite score and a weight, in one order whatever order they come in."""
    all_scores = np.asarray(scores, dtype=np.float64)
    all_labels = np.asarray(labels, dtype=bool)
    all_weights = np.ones(len(all_scores)) if weights is None else np.asarray(weights, dtype=np.float64)
    if not all_scores.shape == all_labels.shape == all_weights.shape:
        raise ValueError(f"{len(all_scores)} scores, {len(all_labels)} labels and {len(all_weights)} weights")
    # Sums of floats differ with their order.
    order = np.lexsort((all_weights, all_labels, all_scores))
    usable = order[(np.isfinite(all_scores) & np.isfinite(all_weights) & (all_weights > 0))[order]]
    usable_weights = all_weights[usable]
    return Examples(
        np.clip(all_scores[usable], -LARGEST, LARGEST),
        all_labels[usable],
        usable_weights / usable_weights.mean() if len(usable) else usable_weights,
    )
