"""Checks of a similarity's parameters: an error names the parameter, its value and what is possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from askagain.errors import SettingsError

SMALLEST: Final = 1e-9
LARGEST: Final = 1e9
"""Weights are finite for all parameters from SMALLEST to LARGEST, whatever the statistics."""


def check(condition: bool, name: str, value: object, allowed: str) -> None:
    """Raise unless the condition holds."""
    if not condition:
        raise SettingsError(f"{name} = {value!r} is not possible: it must be {allowed}")


def check_number(name: str, value: object) -> None:
    """Raise unless the value is a number; true and false are none."""
    check(isinstance(value, (int, float)) and not isinstance(value, bool), name, value, "a number")


def check_range(name: str, value: float, least: float, most: float) -> None:
    """Raise unless least ≤ value ≤ most."""
    check(least <= value <= most, name, value, f"from {least:g} to {most:g}")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise unless the value is one of the choices."""
    allowed = list(choices)
    check(value in allowed, name, value, f"one of {', '.join(allowed)}")
