"""Naive Bayes with normal densities: the mean and variance of each feature among duplicates and others."""

from __future__ import annotations

import numpy as np

from askagain.rerank.fit.examples import Examples
from askagain.rerank.judges.base import Learned

# A feature that never varies would have all of the say: variances are at least this part of the largest.
_LEAST_VARIANCE = 1e-9


def fit_bayes(examples: Examples) -> Learned:
    """Row 0 describes pairs that are no duplicates, row 1 those that are."""
    labels = examples.labels
    groups = [examples.features[~labels], examples.features[labels]]
    least = _LEAST_VARIANCE * max(float(examples.features.var(axis=0).max(initial=0.0)), 1e-3)
    named = {
        "means": [group.mean(axis=0) for group in groups],
        "variances": [group.var(axis=0) + least for group in groups],
        "prior": [np.log(labels.mean() / (1 - labels.mean()))],
    }
    return Learned({name: np.asarray(values, dtype=np.float32) for name, values in named.items()})
