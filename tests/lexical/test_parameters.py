"""Checks of parameters: they pass what is possible and name what is not."""

from collections.abc import Callable

import pytest

from askagain.errors import SettingsError
from askagain.lexical.parameters import check, check_choice, check_number, check_range


@pytest.mark.parametrize(
    "passing",
    [
        lambda: check(True, "k1", 1.2, "above 0"),
        lambda: check_number("k1", 1),
        lambda: check_number("k1", 1.2),
        lambda: check_range("b", 0.0, 0, 1),
        lambda: check_range("b", 1, 0, 1),
        lambda: check_choice("rate", "df", ["df", "ttf"]),
    ],
)
def test_what_is_possible_passes(passing: Callable[[], None]) -> None:
    passing()


@pytest.mark.parametrize(
    ("failing", "message"),
    [
        (lambda: check(False, "k1", -1, "above 0"), "k1 = -1 is not possible: it must be above 0"),
        (lambda: check_number("k1", "1"), "k1 = '1' is not possible: it must be a number"),
        (lambda: check_number("k1", False), "k1 = False is not possible: it must be a number"),
        (lambda: check_range("b", 1.5, 0, 1), "b = 1.5 is not possible: it must be from 0 to 1"),
        (
            lambda: check_choice("rate", "x", ["df", "ttf"]),
            "rate = 'x' is not possible: it must be one of df, ttf",
        ),
    ],
)
def test_what_is_not_possible_is_named(failing: Callable[[], None], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        failing()
    assert str(error.value) == message
