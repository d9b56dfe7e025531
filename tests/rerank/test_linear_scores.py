"""Weighted sums of features: what is unknown adds nothing."""

import numpy as np
import pytest

from askagain.rerank.linear import linear_scores, linear_shares

ARRAYS = {
    "mean": np.array([1.0, 0.5]),
    "scale": np.array([2.0, 0.5]),
    "weights": np.array([3.0, -1.0]),
    "bias": np.array([0.25]),
}
ROWS = np.array([[3.0, 1.0], [1.0, np.nan]])


def test_a_share_is_the_weighted_distance_from_the_mean() -> None:
    # 3 · (3 − 1) / 2 and −1 · (1 − 0.5) / 0.5; then a value that is the mean, and one that is unknown.
    assert linear_shares(ARRAYS, ROWS).tolist() == [[3.0, -1.0], [0.0, 0.0]]


def test_the_score_is_the_sum_of_shares_and_bias() -> None:
    assert linear_scores(ARRAYS, ROWS) == pytest.approx([2.25, 0.25])
