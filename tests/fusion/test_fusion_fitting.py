"""From examples to a judge with calibrated probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from askagain.calibration.calibration import default_calibration
from askagain.errors import TrainingError
from askagain.fusion.fitting import FEWEST_DUPLICATES, fit_judge
from askagain.fusion.judge import FusedJudge
from askagain.fusion.recipe import LearningSettings
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.settings import TreeSettings

NAMES = ("first", "second", "third")
SETTINGS = LearningSettings(trees=TreeSettings(trees=20, least_in_leaf=5))


def judge(*weights: float) -> FusedJudge:
    """One that has learned elsewhere."""
    arrays = {
        "mean": [0.0] * 3, "scale": [1.0] * 3, "weights": weights, "bias": [-3.0], "threshold": [0.0],
    }  # fmt: skip
    named = {name: np.array(array, dtype=np.float32) for name, array in arrays.items()}
    return FusedJudge("logistic", NAMES, named, default_calibration(1.0, 0.5))


GOOD, BAD = judge(4.0, 0.0, 0.0), judge(-4.0, 0.0, 0.0)


def made(lists: int, *, curved: bool = False, seed: int = 0) -> Examples:
    """Lists of ten with two duplicates each, which have more of the first signal, or of none too much."""
    chance = np.random.default_rng(seed)
    matrix = chance.normal(size=(10 * lists, len(NAMES)))
    labels = np.tile(np.arange(10) < 2, lists)
    matrix[:, 0] += np.where(labels, 0 if curved else 3, 0)
    if curved:
        matrix[:, 0] = np.where(labels, matrix[:, 0] / 5, matrix[:, 0] + 2 * np.sign(matrix[:, 0]))
    numbers = np.repeat(np.arange(lists), 10)
    return Examples(matrix, labels, numbers, numbers // 2)


# With few marks


def test_with_few_marks_the_default_stays_and_says_that_it_is_one() -> None:
    fitted = fit_judge(made(9), NAMES, replace(SETTINGS, precision=0.8), GOOD, seed=0)
    assert fitted.choice is None
    assert fitted.judge.arrays is GOOD.arrays
    assert not fitted.judge.calibration.is_calibrated
    assert fitted.judge.calibration.threshold == 0.8


def test_a_calibrated_default_is_uncalibrated_elsewhere() -> None:
    elsewhere = fit_judge(made(60), NAMES, SETTINGS, None, seed=0).judge
    assert elsewhere.calibration.is_calibrated
    assert not fit_judge(made(9), NAMES, SETTINGS, elsewhere, seed=0).judge.calibration.is_calibrated


def test_without_any_mark_the_default_stays() -> None:
    nothing = Examples(np.zeros((0, 3)), np.zeros(0, bool), np.zeros(0, int), np.zeros(0, int))
    assert fit_judge(nothing, NAMES, SETTINGS, GOOD, seed=0).judge.arrays is GOOD.arrays


def test_rejections_alone_leave_the_default() -> None:
    rejected = Examples(np.zeros((50, 3)), np.zeros(50, bool), np.arange(50), np.arange(50))
    assert fit_judge(rejected, NAMES, SETTINGS, GOOD, seed=0).choice is None


def test_nothing_but_duplicates_leaves_the_default() -> None:
    alike = Examples(np.zeros((50, 3)), np.ones(50, bool), np.arange(50), np.arange(50))
    assert fit_judge(alike, NAMES, SETTINGS, GOOD, seed=0).choice is None


def test_few_marks_and_no_default_are_an_error_that_counts_them() -> None:
    with pytest.raises(TrainingError, match=rf"18 marked duplicates .* at least {FEWEST_DUPLICATES}, not"):
        fit_judge(made(9), NAMES, SETTINGS, None, seed=0)


def test_a_default_of_other_signals_is_none() -> None:
    other = replace(GOOD, names=("first", "second", "moonlight"))
    with pytest.raises(TrainingError, match="18 marked duplicates"):
        fit_judge(made(9), NAMES, SETTINGS, other, seed=0)


# With enough


def test_enough_marks_calibrate() -> None:
    fitted = fit_judge(made(60), NAMES, SETTINGS, None, seed=0)
    calibration = fitted.judge.calibration
    assert calibration.is_calibrated
    assert (calibration.examples, calibration.duplicates, calibration.precision) == (600, 120, 0.9)


def test_the_wished_precision_decides_the_threshold() -> None:
    low, high = (
        fit_judge(
            made(100), NAMES, replace(SETTINGS, precision=wished), None, seed=0
        ).judge.calibration.threshold
        for wished in (0.5, 0.95)
    )
    assert low < high


def test_a_bad_default_is_learned_away() -> None:
    fitted = fit_judge(made(60), NAMES, SETTINGS, BAD, seed=0)
    assert fitted.choice is not None
    assert fitted.choice.name != "as shipped"
    assert fitted.choice.reached["as shipped"] < 0.5 < fitted.choice.reached[fitted.choice.name]


def test_a_good_default_stays_and_is_calibrated_anew() -> None:
    fitted = fit_judge(made(60), NAMES, SETTINGS, GOOD, seed=0)
    assert fitted.choice is not None
    assert fitted.choice.reached["as shipped"] == max(fitted.choice.reached.values())
    assert fitted.judge.arrays is GOOD.arrays
    assert fitted.judge.calibration.is_calibrated


def test_the_method_that_orders_best_is_chosen() -> None:
    straight, curved = (
        fit_judge(made(150, curved=bent), NAMES, SETTINGS, None, seed=0) for bent in (False, True)
    )
    assert straight.judge.method == "logistic"
    assert curved.judge.method == "trees"


def test_trees_are_not_tried_with_few_marks() -> None:
    few, many = (fit_judge(made(lists), NAMES, SETTINGS, None, seed=0).choice for lists in (60, 100))
    assert few is not None
    assert many is not None
    assert few.reached.keys() == {"logistic"}
    assert many.reached.keys() == {"logistic", "trees"}


@pytest.mark.parametrize("method", ["logistic", "trees"])
def test_a_method_can_be_wished_for(method: str) -> None:
    settings = replace(SETTINGS, methods=(method,))  # type: ignore[arg-type]
    assert fit_judge(made(60), NAMES, settings, None, seed=0).judge.method == method


def test_the_same_seed_gives_the_same_judge() -> None:
    first, again = (fit_judge(made(100), NAMES, SETTINGS, None, seed=3).judge for _ in range(2))
    assert first.calibration == again.calibration
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])


@pytest.mark.parametrize("seed", range(8))
def test_duplicates_of_few_groups_are_no_obstacle(seed: int) -> None:
    """All duplicates are of two groups, beside many rejections."""
    examples = made(60)
    labels = examples.labels & (examples.lists >= 40)
    groups = np.where(examples.lists >= 50, 1000, np.where(examples.lists >= 40, 2000, examples.lists))
    fitted = fit_judge(replace(examples, labels=labels, groups=groups), NAMES, SETTINGS, GOOD, seed)
    assert np.isfinite(fitted.judge.scores(examples.features)).all()


def test_duplicates_of_one_group_cannot_be_cross_validated() -> None:
    examples = made(60)
    one = replace(examples, groups=np.zeros_like(examples.lists))
    assert fit_judge(one, NAMES, SETTINGS, GOOD, seed=0).choice is None


def test_without_a_default_they_are_an_error() -> None:
    examples = made(60)
    one = replace(examples, groups=np.zeros_like(examples.lists))
    with pytest.raises(TrainingError, match=r"120 marked duplicates .* not all of one question"):
        fit_judge(one, NAMES, SETTINGS, None, seed=0)
