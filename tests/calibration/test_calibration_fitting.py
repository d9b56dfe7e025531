"""Which calibration is fitted to which marks, and how good it is."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored_pairs import DEFAULT, drawn_pairs, true_probabilities

from askagain.calibration.calibration import SILENCE
from askagain.calibration.fitting import FEWEST, ISOTONIC_DUPLICATES, ISOTONIC_EXAMPLES, fit_calibration
from askagain.errors import SettingsError


def labels_of(duplicates: int, others: int) -> list[bool]:
    return [True] * duplicates + [False] * others


def fitted(labels: list[bool], **options: Any) -> Any:
    scores = np.random.default_rng(0).normal(labels)
    return fit_calibration(scores, labels, default=DEFAULT, **options)


METHODS = {
    (FEWEST - 1, 1000): "default",
    (1000, FEWEST - 1): "default",
    (1000, 0): "default",
    (0, 1000): "default",
    (0, 0): "default",
    (FEWEST, FEWEST): "logistic",
    (ISOTONIC_DUPLICATES - 1, 10_000): "logistic",
    (ISOTONIC_DUPLICATES, ISOTONIC_EXAMPLES - ISOTONIC_DUPLICATES - 1): "logistic",
    (ISOTONIC_DUPLICATES, ISOTONIC_EXAMPLES - ISOTONIC_DUPLICATES): "isotonic",
}


@pytest.mark.parametrize(("counts", "method"), METHODS.items(), ids=str)
def test_the_method_follows_the_number_of_marks(counts: tuple[int, int], method: str) -> None:
    assert fitted(labels_of(*counts)).method == method


def test_it_knows_how_many_pairs_it_was_fitted_on() -> None:
    calibration = fitted(labels_of(30, 100))
    assert (calibration.examples, calibration.duplicates) == (130, 30)


def test_with_too_few_marks_the_default_is_given_with_the_wished_precision() -> None:
    assert fitted(labels_of(3, 100), precision=0.8) == DEFAULT.as_default(0.8)


def test_a_pair_that_is_there_twice_is_one_mark() -> None:
    assert fitted(labels_of(2 * FEWEST - 2, 100), repeated=2.0) == DEFAULT.as_default(0.9)
    assert fitted(labels_of(2 * FEWEST, 100), repeated=2.0).method == "logistic"
    assert fitted(labels_of(2 * ISOTONIC_DUPLICATES - 2, 10_000), repeated=2.0).method == "logistic"


def test_pairs_without_a_finite_score_are_no_marks() -> None:
    labels = labels_of(FEWEST, FEWEST)
    scores = np.ones(len(labels))
    scores[0] = np.nan
    assert not fit_calibration(scores, labels, default=DEFAULT).is_calibrated


@pytest.mark.parametrize("count", [500, 5000])
def test_probabilities_are_close_to_the_true_ones(count: int) -> None:
    calibration = fit_calibration(*drawn_pairs(count), default=DEFAULT)
    scores, _ = drawn_pairs(10_000, seed=1)
    assert np.abs(calibration.probabilities(scores) - true_probabilities(scores)).mean() < 0.03


@pytest.mark.parametrize("count", [800, 20_000])
def test_weights_undo_a_choice_of_pairs(count: int) -> None:
    # Of the pairs that are no duplicates only a quarter was kept, so each stands for four.
    scores, labels = drawn_pairs(count)
    is_kept = labels | (np.arange(count) % 4 == 0)
    weights = np.where(labels, 1.0, 4.0)[is_kept]
    calibration = fit_calibration(scores[is_kept], labels[is_kept], default=DEFAULT, weights=weights)
    tested, _ = drawn_pairs(10_000, seed=1)
    assert np.abs(calibration.probabilities(tested) - true_probabilities(tested)).mean() < 0.03


@pytest.mark.parametrize("count", [500, 3000])
def test_only_the_ratios_of_weights_matter(count: int) -> None:
    scores, labels = drawn_pairs(count)
    once = fit_calibration(scores, labels, default=DEFAULT)
    assert fit_calibration(scores, labels, default=DEFAULT, weights=np.full(count, 8.0)) == once


@pytest.mark.parametrize("count", [500, 3000])
def test_the_order_of_the_pairs_does_not_matter(count: int) -> None:
    scores, labels = drawn_pairs(count)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, count)
    order = np.random.default_rng(3).permutation(count)
    assert fit_calibration(scores, labels, default=DEFAULT, weights=weights) == fit_calibration(
        scores[order], labels[order], default=DEFAULT, weights=weights[order]
    )


@pytest.mark.parametrize("count", [1000, 20_000])
def test_on_other_pairs_the_threshold_has_the_wished_precision(count: int) -> None:
    calibration = fit_calibration(*drawn_pairs(count), default=DEFAULT, precision=0.8)
    scores, labels = drawn_pairs(50_000, seed=1)
    shown = labels[calibration.probabilities(scores) >= calibration.threshold]
    assert shown.mean() > 0.78
    assert len(shown) > 1000


@pytest.mark.parametrize("count", [500, 3000])
def test_where_scores_say_nothing_it_stays_silent(count: int) -> None:
    rng = np.random.default_rng(0)
    calibration = fit_calibration(rng.normal(size=count), rng.random(count) < 0.3, default=DEFAULT)
    assert calibration.threshold == SILENCE
    assert calibration.is_silent


@pytest.mark.parametrize("count", [100, 2000])
def test_equal_scores_have_the_share_of_duplicates(count: int) -> None:
    labels = np.arange(count) % 4 == 0
    calibration = fit_calibration(np.full(count, 7.0), labels, default=DEFAULT)
    assert calibration.probabilities([7.0]) == pytest.approx([0.25], abs=0.02)


def test_centres_that_a_file_cannot_tell_apart_are_one_knot() -> None:
    scores, labels = drawn_pairs(3000)
    assert len(fit_calibration(1e9 + scores, labels, default=DEFAULT).scores) == 1


@pytest.mark.parametrize(("count", "method"), [(100, "logistic"), (1500, "isotonic")])
@given(scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=10))
def test_hostile_scores_give_usable_probabilities(count: int, method: str, scores: list[float]) -> None:
    labels = np.random.default_rng(0).random(count) < 0.4
    calibration = fit_calibration(np.resize(scores, count), labels, default=DEFAULT)
    probabilities = calibration.probabilities(sorted(scores))
    assert calibration.method == method
    assert ((probabilities > 0) & (probabilities < 1)).all()
    assert (np.diff(probabilities) >= -1e-12).all()


@pytest.mark.parametrize("precision", [-0.1, 1.1, float("nan")])
def test_a_precision_that_no_share_can_have_is_refused(precision: float) -> None:
    with pytest.raises(SettingsError, match="the wished precision is"):
        fitted(labels_of(50, 50), precision=precision)
