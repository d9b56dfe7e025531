"""Length normalisations: factors by hand, and errors that name what is possible."""

import numpy as np
import pytest

from askagain.errors import SettingsError
from askagain.lexical.normalisations import NORMALISATIONS, normalisation

LENGTHS = np.array([1.0, 4.0, 16.0])
AVERAGE = 4.0


@pytest.mark.parametrize(
    ("name", "parameter", "factors"),
    [
        ("h1", None, [4, 1, 1 / 4]),
        ("h1", 2.0, [8, 2, 1 / 2]),
        ("h2", None, [np.log2(5), 1, np.log2(5 / 4)]),
        ("h2", 3.0, [np.log2(13), 2, np.log2(7 / 4)]),
        ("h3", None, [800 / 801, 800 / 804, 800 / 816]),
        ("h3", 4.0, [4 / 5, 4 / 8, 4 / 20]),
        ("z", None, [4**0.3, 1, 4**-0.3]),
        ("z", 0.25, [np.sqrt(2), 1, 1 / np.sqrt(2)]),
        ("none", None, [1, 1, 1]),
    ],
)
def test_factors(name: str, parameter: float | None, factors: list[float]) -> None:
    chosen = normalisation(name, parameter)
    assert chosen.length_factors(LENGTHS, AVERAGE) == pytest.approx(np.array(factors))


@pytest.mark.parametrize("name", NORMALISATIONS)
def test_a_length_of_zero_counts_as_one(name: str) -> None:
    at_zero, at_one = normalisation(name).length_factors(np.array([0.0, 1.0]), AVERAGE)
    assert at_zero == at_one


def test_only_h3_shifts_frequencies() -> None:
    assert {name: normalisation(name).shift for name in NORMALISATIONS} == {
        "h1": 0.0,
        "h2": 0.0,
        "h3": 800.0,
        "z": 0.0,
        "none": 0.0,
    }
    assert normalisation("h3", 300.0).shift == 300.0


def test_an_unknown_name_gives_the_known_ones() -> None:
    with pytest.raises(
        SettingsError, match=r"^normalisation = 'h4' is not possible: it must be one of h1, h2, h3, z, none$"
    ):
        normalisation("h4")


@pytest.mark.parametrize(
    ("name", "parameter", "allowed"),
    [
        ("h1", 0.0, "from 1e-09 to 1e+09"),
        ("h2", -1.0, "from 1e-09 to 1e+09"),
        ("h3", float("nan"), "from 1e-09 to 1e+09"),
        ("h3", float("inf"), "from 1e-09 to 1e+09"),
        ("z", 0.0, "from 1e-09 to below 0.5"),
        ("z", 0.5, "from 1e-09 to below 0.5"),
        ("z", float("nan"), "from 1e-09 to below 0.5"),
        ("none", 1.0, "left out"),
    ],
)
def test_an_impossible_parameter_is_named(name: str, parameter: float, allowed: str) -> None:
    with pytest.raises(SettingsError) as error:
        normalisation(name, parameter)
    what = f"parameter of normalisation {name} = {parameter!r}"
    assert str(error.value) == f"{what} is not possible: it must be {allowed}"
