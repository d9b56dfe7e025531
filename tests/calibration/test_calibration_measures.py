"""Every measure by hand, and against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, brier_score_loss

from askagain.calibration.measures import (
    average_precision,
    brier_score,
    expected_calibration_error,
    reliability_bins,
)
from askagain.calibration.thresholds import precision_recall
from askagain.evaluation.metrics import BoolArray, FloatArray


def honest_pairs(count: int) -> tuple[FloatArray, BoolArray]:
    """Probabilities that are exactly right."""
    rng = np.random.default_rng(0)
    probabilities = rng.uniform(size=count)
    return probabilities, rng.random(count) < probabilities


def test_a_bin_has_the_mean_probability_and_the_observed_frequency() -> None:
    [found] = reliability_bins([0.32, 0.34, 0.36], [True, False, False])
    assert (found.start, found.end, found.count) == (0.3, 0.4, 3)
    assert found.probability == pytest.approx(0.34)
    assert found.frequency == pytest.approx(1 / 3)


def test_the_interval_of_a_bin_is_wilsons() -> None:
    [found] = reliability_bins([0.75] * 10, [True] * 10)
    assert (found.low, found.high) == pytest.approx((10 / (10 + 1.959964**2), 1.0))


def test_empty_bins_are_left_out() -> None:
    assert [each.start for each in reliability_bins([0.05, 0.95], [False, True])] == [0.0, 0.9]


@pytest.mark.parametrize("edge", [0.1, 0.3, 0.6, 0.7, 1.0])
def test_the_upper_edge_belongs_to_a_bin(edge: float) -> None:
    [found] = reliability_bins([edge], [True])
    assert found.end == edge


def test_zero_belongs_to_the_first_bin() -> None:
    assert reliability_bins([0.0], [False])[0].start == 0.0


def test_calibration_error_weighs_the_gaps_of_the_bins() -> None:
    # Two pairs at 0.2 of which one is a duplicate, six at 0.9 of which three are.
    probabilities = [0.2] * 2 + [0.9] * 6
    labels = [True, False] + [True, False] * 3
    assert expected_calibration_error(probabilities, labels) == pytest.approx(2 / 8 * 0.3 + 6 / 8 * 0.4)


def test_calibration_error_of_honest_probabilities_is_small() -> None:
    assert expected_calibration_error(*honest_pairs(50_000)) < 0.01


def test_calibration_error_of_shifted_probabilities_is_the_shift() -> None:
    probabilities, labels = honest_pairs(50_000)
    is_inside = probabilities < 0.9
    shifted = probabilities[is_inside] + 0.1
    assert expected_calibration_error(shifted, labels[is_inside]) == pytest.approx(0.1, abs=0.01)


def test_brier_score_is_that_of_scikit_learn() -> None:
    probabilities, labels = honest_pairs(1000)
    assert brier_score(probabilities, labels) == pytest.approx(brier_score_loss(labels, probabilities))


@pytest.mark.parametrize("decimals", [1, 9])
def test_average_precision_is_that_of_scikit_learn(decimals: int) -> None:
    probabilities, labels = honest_pairs(1000)
    tied = probabilities.round(decimals)
    found = average_precision(precision_recall(tied, labels))
    assert found == pytest.approx(average_precision_score(labels, tied))


def test_measures_of_nothing_are_zero() -> None:
    assert expected_calibration_error([], []) == 0
    assert brier_score([], []) == 0
    assert average_precision(precision_recall([], [])) == 0
