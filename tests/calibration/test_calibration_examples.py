"""The pairs that a calibration is fitted on."""

import numpy as np
import pytest

from askagain.calibration.calibration import LARGEST
from askagain.calibration.examples import make_examples


def test_pairs_are_sorted_by_score() -> None:
    examples = make_examples([0.3, 0.1, 0.2], [True, False, True])
    assert examples.scores.tolist() == [0.1, 0.2, 0.3]
    assert examples.labels.tolist() == [False, True, True]


def test_duplicates_and_others_are_counted_whatever_their_weights() -> None:
    examples = make_examples([0.3, 0.1, 0.2], [True, False, True], [5.0, 1.0, 1.0])
    assert (examples.duplicates, examples.others) == (2, 1)


def test_weights_are_one_on_average() -> None:
    assert make_examples([0.1, 0.2], [True, False], [2.0, 6.0]).weights.tolist() == [0.5, 1.5]


def test_scores_that_are_not_finite_are_left_out() -> None:
    examples = make_examples([np.nan, 0.1, np.inf, -np.inf], [True, True, False, False])
    assert examples.scores.tolist() == [0.1]


def test_pairs_without_a_usable_weight_are_left_out() -> None:
    examples = make_examples([1, 2, 3, 4, 5], [True] * 5, [0.0, -1.0, np.nan, np.inf, 2.0])
    assert examples.scores.tolist() == [5.0]


def test_huge_scores_are_taken_for_the_largest() -> None:
    assert make_examples([-1e300, 1e300], [False, True]).scores.tolist() == [-LARGEST, LARGEST]


def test_nothing_is_no_example() -> None:
    assert len(make_examples([], []).scores) == 0


def test_each_score_must_have_a_label() -> None:
    with pytest.raises(ValueError, match="3 scores, 2 labels and 3 weights"):
        make_examples([1, 2, 3], [True, False])
