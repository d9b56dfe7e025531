"""`--set NAME=VALUE`: other parameters than a recipe's."""

from __future__ import annotations

from collections.abc import Sequence

from askagain.errors import SettingsError


def parsed_parameters(assignments: Sequence[str]) -> dict[str, float | str]:
    """Numbers as numbers, everything else as words."""
    parameters: dict[str, float | str] = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not (name and equals and value):
            raise SettingsError(f"--set {assignment!r} is not NAME=VALUE, such as k1=0.9")
        if name == "name":
            raise SettingsError(f"--set {assignment!r}: which similarity is used depends on --system")
        parameters[name] = _number_or_word(value)
    return parameters


def _number_or_word(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:
        return value
