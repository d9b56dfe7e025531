"""The map from scores to probabilities, and the way to a file and back."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from scored_pairs import DEFAULT, drawn_pairs

from askagain.calibration.calibration import LEAST, Calibration, default_calibration
from askagain.calibration.fitting import fit_calibration
from askagain.encoders.weightfile import load_weights, save_weights
from askagain.errors import ModelError, SettingsError
from askagain.modelfolder import load_config, save_config

LINE = Calibration("isotonic", (0.0, 1.0, 3.0), (-2.0, 0.0, 1.0), 0.0, 1000, 200, 0.9, 0.7)
ANY_SCORE = st.floats(allow_nan=True, allow_infinity=True)


def sigmoid(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


def fitted(count: int) -> Calibration:
    return fit_calibration(*drawn_pairs(count), default=DEFAULT)


EACH_KIND = {"isotonic": fitted(3000), "logistic": fitted(300), "default": DEFAULT}


def test_between_knots_log_odds_are_straight() -> None:
    assert LINE.probabilities([0.5, 2.0]) == pytest.approx([sigmoid(-1.0), sigmoid(0.5)])


def test_beyond_the_outermost_knots_log_odds_go_on_with_the_slope() -> None:
    sloped = replace(LINE, slope=0.5)
    assert sloped.probabilities([-2.0, 5.0]) == pytest.approx([sigmoid(-3.0), sigmoid(2.0)])


def test_without_a_slope_they_stay_at_the_outermost_knots() -> None:
    assert LINE.probabilities([-1e9, 1e9]) == pytest.approx([sigmoid(-2.0), sigmoid(1.0)])


def test_the_default_is_the_stated_logistic_curve() -> None:
    calibration = default_calibration(slope=4.0, intercept=-2.0)
    assert calibration.probabilities([0.25]) == pytest.approx([sigmoid(4 * 0.25 - 2)])


def test_the_default_is_not_calibrated_and_speaks_from_the_wished_precision_on() -> None:
    calibration = default_calibration(slope=1.0, intercept=0.0, precision=0.8)
    assert not calibration.is_calibrated
    assert calibration.threshold == 0.8


def test_a_map_that_serves_as_default_elsewhere_is_not_calibrated_there() -> None:
    default = LINE.as_default(0.95)
    assert (default.is_calibrated, default.examples, default.duplicates) == (False, 0, 0)
    assert (default.precision, default.threshold) == (0.95, 0.95)
    assert default.probabilities([0.5]) == LINE.probabilities([0.5])


@pytest.mark.parametrize("score", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_not_finite_has_the_lowest_probability(score: float) -> None:
    assert LINE.probabilities([score, -1e300])[0] == LEAST < LINE.probabilities([-1e300])[0]


@pytest.mark.parametrize("kind", EACH_KIND)
@given(scores=st.lists(ANY_SCORE, max_size=20))
def test_probabilities_lie_strictly_between_0_and_1(kind: str, scores: list[float]) -> None:
    probabilities = EACH_KIND[kind].probabilities(scores)
    assert ((probabilities > 0) & (probabilities < 1)).all()


@pytest.mark.parametrize("kind", EACH_KIND)
@given(scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2))
def test_a_higher_score_never_has_a_lower_probability(kind: str, scores: list[float]) -> None:
    probabilities = EACH_KIND[kind].probabilities(sorted(scores))
    assert (np.diff(probabilities) >= -1e-12).all()


def test_the_shape_of_the_scores_is_kept() -> None:
    assert LINE.probabilities(np.zeros((2, 3))).shape == (2, 3)
    assert LINE.probabilities([]).shape == (0,)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_a_saved_map_is_the_same_when_loaded(kind: str, tmp_path: Path) -> None:
    calibration = EACH_KIND[kind]
    assert calibration.method == kind
    weights, config = tmp_path / "weights.safetensors", tmp_path / "config.toml"
    save_weights(weights, calibration.to_arrays())
    save_config(config, {"calibration": calibration.to_table()})

    checksum = sha256(weights.read_bytes()).hexdigest()
    table, _ = load_config(config)
    loaded = Calibration.from_arrays(load_weights(weights, checksum), table["calibration"], tmp_path)

    assert loaded == calibration


def test_the_table_is_plain_toml() -> None:
    assert 'method = "isotonic"' in tomli_w.dumps(LINE.to_table())


DAMAGED_VALUES: dict[str, dict[str, Any]] = {
    "an unknown method": {"method": "magic"},
    "a falling slope": {"slope": -1.0},
    "no number": {"slope": "steep"},
    "a threshold that is not a number": {"threshold": float("nan")},
    "a threshold above 1": {"threshold": 1.5},
    "more duplicates than examples": {"duplicates": 5000},
    "an unknown name": {"colour": "blue"},
    "a precision below 0": {"precision": -0.1},
}


@pytest.mark.parametrize("values", DAMAGED_VALUES.values(), ids=DAMAGED_VALUES)
def test_damaged_values_are_an_error_that_names_the_file(values: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match=r"^some/model: the calibration is damaged: .*train the model anew"):
        Calibration.from_arrays(LINE.to_arrays(), {**LINE.to_table(), **values}, Path("some/model"))


DAMAGED_KNOTS: dict[str, tuple[Any, Any]] = {
    "none": ([], []),
    "not as many": ([0.0, 1.0], [0.0]),
    "NaN": ([0.0, np.nan], [0.0, 1.0]),
    "infinite": ([0.0, 1.0], [0.0, np.inf]),
    "equal scores": ([1.0, 1.0], [0.0, 1.0]),
    "falling": ([0.0, 1.0], [1.0, 0.0]),
    "of another shape": ([[0.0, 1.0]], [[0.0, 1.0]]),
    "a single number": (0.0, 1.0),
}


@pytest.mark.parametrize(("scores", "log_odds"), DAMAGED_KNOTS.values(), ids=DAMAGED_KNOTS)
def test_damaged_knots_are_an_error_that_names_the_file(scores: Any, log_odds: Any) -> None:
    arrays = {"calibration.scores": np.array(scores), "calibration.log_odds": np.array(log_odds)}
    with pytest.raises(ModelError, match=r"^some/model: the calibration is damaged"):
        Calibration.from_arrays(arrays, LINE.to_table(), Path("some/model"))


def test_missing_knots_are_named() -> None:
    arrays = LINE.to_arrays()
    del arrays["calibration.log_odds"]
    with pytest.raises(ModelError, match=r"^some/model: the weights 'calibration.log_odds' are missing"):
        Calibration.from_arrays(arrays, LINE.to_table(), Path("some/model"))


def test_missing_values_are_named() -> None:
    table = LINE.to_table()
    del table["slope"], table["threshold"]
    with pytest.raises(ModelError, match="slope, threshold missing"):
        Calibration.from_arrays(LINE.to_arrays(), table, Path("some/model"))


def test_a_default_that_falls_is_refused() -> None:
    with pytest.raises(SettingsError, match="slope is -1"):
        default_calibration(slope=-1.0, intercept=0.0)
