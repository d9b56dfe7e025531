"""Sums of trees: the way of each row, what each feature adds, and arrays that are not those of trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_cases import FEATURES, slow_score, two_trees, wild

from askagain.errors import ModelError
from askagain.rerank.trees.trees import Trees

NAN = np.nan


@pytest.mark.parametrize(
    ("row", "score"),
    [
        ((1.5, 0, 0), 9.5),  # what equals a border goes to the left
        ((np.nextafter(1.5, 2), 0, -2), 10.25),
        ((np.inf, 0, -1), 12.0),
        ((-np.inf, 0, -1), 9.5),
        ((NAN, NAN, 0), 12.0),  # unknown: to the right at the first split,
        ((2, 0, NAN), 10.25),  # and to the left at the second
    ],
)
def test_the_score_is_the_baseline_and_the_values_of_the_leaves(row: tuple[float, ...], score: float) -> None:
    assert Trees(two_trees(), FEATURES).score(np.array([row])) == score


def test_what_a_feature_adds_is_how_the_value_changes_at_its_splits() -> None:
    shares = Trees(two_trees(), FEATURES).shares(np.array([2.0, 0.0, NAN]))

    assert shares.tolist() == [1.0, 0.0, 0.25 - 1.0]


def test_shares_and_baseline_are_the_score() -> None:
    trees, matrix = Trees(two_trees(), FEATURES), wild(200, FEATURES, seed=0)

    sums = [trees.baseline + trees.shares(row).sum() for row in matrix]

    np.testing.assert_allclose(sums, trees.score(matrix), atol=1e-12)


def test_it_agrees_with_a_slow_reference() -> None:
    arrays = two_trees()
    matrix = wild(1000, FEATURES, seed=1, borders=arrays["borders"])

    assert Trees(arrays, FEATURES).score(matrix).tolist() == [slow_score(arrays, row) for row in matrix]


def test_no_rows_no_scores() -> None:
    assert Trees(two_trees(), FEATURES).score(np.zeros((0, FEATURES))).tolist() == []


def test_rows_in_single_precision_are_scored_too() -> None:
    matrix = np.array([[1.5, 0, 0], [NAN, NAN, 0]], dtype=np.float32)

    assert Trees(two_trees(), FEATURES).score(matrix).tolist() == [9.5, 12.0]


@pytest.mark.parametrize("shape", [(2, FEATURES - 1), (2, FEATURES + 1), (FEATURES,)])
def test_a_matrix_of_other_features_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ModelError, match="the trees look at 3 features"):
        Trees(two_trees(), FEATURES).score(np.zeros(shape))


DAMAGES = {
    "a border is not a number": ("borders", [NAN, 0, -2, 0, 0, 0]),
    "values has infinite numbers": ("values", [0, -0.5, 1, np.inf, 2, 0]),
    "baseline has infinite numbers": ("baseline", [NAN]),
    "baseline is not one number": ("baseline", [1.0, 2.0]),
    "threshold is missing": ("threshold", None),
    "borders is missing, or not a row of numbers": ("borders", [[1.5, 0, -2, 0, 0, 0]]),
    "left is missing, or not a row of numbers": ("left", [1.0, 1, 3, 3, 4, 5]),
    "values has 5 numbers for 6 nodes": ("values", [0.0, -0.5, 1, 0.25, 2]),
    "a feature that is not among the 3": ("features", [0, 0, 3, 0, 0, 0]),
    "a feature that is not among": ("features", [0, 0, -1, 0, 0, 0]),
    "unknown_left has other numbers": ("unknown_left", [0, 0, 2, 0, 0, 0]),
    "offsets do not divide 6 nodes": ("offsets", [0, 5, 7]),
    "offsets do not divide": ("offsets", [0, 5, 5, 6]),
    "the offsets do not": ("offsets", [0]),
    "or they are in another tree": ("right", [2, 1, 5, 3, 4, 5]),
    "does not come before its children": ("left", [1, 1, 0, 3, 4, 5]),
    "a node does not come before": ("left", [1, 1, 2, 3, 4, 5]),
    "a node does not": ("left", [1, 1, -1, 3, 4, 5]),
    "a node has two parents": ("right", [2, 1, 3, 3, 4, 5]),
    "two parents, or none": ("left", [2, 1, 3, 3, 4, 5]),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damaged_arrays_are_refused(what: str) -> None:
    name, values = DAMAGES[what]
    arrays = two_trees()
    if values is None:
        del arrays[name]
    else:
        arrays[name] = np.array(values)

    with pytest.raises(ModelError, match=f"^folder: the trees are damaged: .*{what}.*train the model anew"):
        Trees(arrays, FEATURES, "folder")


NUMBERS = st.one_of(st.integers(-(2**31), 2**31 - 1), st.integers(-1, 7))


@given(st.sampled_from(["left", "right", "offsets", "features"]), st.integers(0, 5), NUMBERS)
def test_whatever_number_is_wrong_scoring_comes_to_an_end(name: str, place: int, number: int) -> None:
    arrays = two_trees()
    arrays[name][place % len(arrays[name])] = number
    matrix = wild(20, FEATURES, seed=2)
    try:
        trees = Trees(arrays, FEATURES)
    except ModelError:
        return
    assert trees.score(matrix).tolist() == [slow_score(arrays, row) for row in matrix]
