"""Precision, recall and thresholds, against scikit-learn and brute force."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve

from askagain.calibration.calibration import SILENCE
from askagain.calibration.thresholds import CAUTION, OperatingPoint, precision_recall, threshold_for

PROBABILITIES = [0.9, 0.8, 0.8, 0.3, 0.1]
LABELS = [True, True, False, True, False]

PAIRS = st.lists(
    st.tuples(st.sampled_from([n / 16 for n in range(1, 16)]), st.booleans()), min_size=1, max_size=80
)


def cautious(right: int, count: int) -> float:
    """The lower end of Wilson's interval, as its paper has it."""
    share = right / count
    root = CAUTION * sqrt(CAUTION**2 + 4 * count * share * (1 - share))
    return (2 * count * share + CAUTION**2 - root) / (2 * (count + CAUTION**2))


def lowest_by_trying(pairs: list[tuple[float, bool]], precision: float) -> float:
    best = SILENCE
    for threshold, _ in pairs:
        shown = [label for probability, label in pairs if probability >= threshold]
        if cautious(sum(shown), len(shown)) >= precision:
            best = min(best, threshold)
    return best


def test_equal_probabilities_are_one_point() -> None:
    curve = precision_recall(PROBABILITIES, LABELS)
    assert curve.probabilities.tolist() == [0.9, 0.8, 0.3, 0.1]
    assert curve.precisions == pytest.approx([1, 2 / 3, 3 / 4, 3 / 5])
    assert curve.recalls == pytest.approx([1 / 3, 2 / 3, 1, 1])
    assert curve.counts.tolist() == [1, 3, 4, 5]


@given(PAIRS.filter(lambda pairs: any(label for _, label in pairs)))
def test_the_curve_is_that_of_scikit_learn(pairs: list[tuple[float, bool]]) -> None:
    probabilities, labels = zip(*pairs, strict=True)
    curve = precision_recall(probabilities, labels)
    precisions, recalls, thresholds = precision_recall_curve(labels, probabilities)
    assert curve.probabilities[::-1] == pytest.approx(thresholds)
    assert curve.precisions[::-1] == pytest.approx(precisions[:-1])
    assert curve.recalls[::-1] == pytest.approx(recalls[:-1])


def test_a_weight_counts_as_that_many_pairs() -> None:
    weighted = precision_recall([0.9, 0.5], [True, False], [1.0, 3.0])
    assert weighted.precisions == pytest.approx([1, 1 / 4])


def test_unequal_weights_tell_less_than_as_many_pairs() -> None:
    # Kish: (1 + 3)² / (1² + 3²)
    assert precision_recall([0.9, 0.5], [True, False], [1.0, 3.0]).counts == pytest.approx([1, 1.6])


@pytest.mark.parametrize(
    ("threshold", "expected"),
    {
        0.95: OperatingPoint(0.95, None, 0.0, 0),
        0.9: OperatingPoint(0.9, 1.0, 1 / 3, 1),
        0.85: OperatingPoint(0.85, 1.0, 1 / 3, 1),
        0.8: OperatingPoint(0.8, 2 / 3, 2 / 3, 3),
        0.0: OperatingPoint(0.0, 3 / 5, 1.0, 5),
    }.items(),
)
def test_a_threshold_shows_what_is_at_or_above_it(threshold: float, expected: OperatingPoint) -> None:
    assert precision_recall(PROBABILITIES, LABELS).at(threshold) == pytest.approx(expected)


@given(PAIRS, st.sampled_from([0.3, 0.5, 0.75, 0.9]))
def test_the_threshold_is_the_lowest_that_trying_all_finds(
    pairs: list[tuple[float, bool]], precision: float
) -> None:
    curve = precision_recall(*zip(*pairs, strict=True))
    assert threshold_for(curve, precision) == lowest_by_trying(pairs, precision)


@pytest.mark.parametrize(("count", "expected"), [(6, SILENCE), (7, 0.8)])
def test_a_few_right_pairs_may_be_luck(count: int, expected: float) -> None:
    assert threshold_for(precision_recall([0.8] * count, [True] * count), 0.9) == expected


@pytest.mark.parametrize(("right", "expected"), [(92, SILENCE), (93, 0.8)])
def test_a_hundred_pairs_need_93_right_ones(right: int, expected: float) -> None:
    labels = [True] * right + [False] * (100 - right)
    assert threshold_for(precision_recall([0.8] * 100, labels), 0.9) == expected


def test_with_many_pairs_caution_costs_nothing() -> None:
    labels = np.arange(100_000) % 1000 < 902
    assert threshold_for(precision_recall(np.full(100_000, 0.8), labels), 0.9) == 0.8


def test_a_precision_that_is_not_reached_is_silence() -> None:
    assert threshold_for(precision_recall([0.9] * 100, [False] * 100), 0.5) == SILENCE


def test_without_pairs_there_is_silence() -> None:
    curve = precision_recall([], [])
    assert threshold_for(curve, 0.5) == SILENCE
    assert curve.at(0.5) == OperatingPoint(0.5, None, 0.0, 0)


def test_without_duplicates_recall_is_zero() -> None:
    assert precision_recall([0.9, 0.5], [False, False]).recalls.tolist() == [0, 0]
