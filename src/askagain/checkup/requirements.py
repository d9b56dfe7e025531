"""What an installed distribution says that it needs, and whether that is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final

_REQUIREMENT: Final = re.compile(
    r"""(?P<name>[\w.-]+) \s* (\[[^]]*\])? \s* (?P<bounds>[^;]*)
        (;.*\bextra\s*==\s*["'](?P<extra>[\w-]+)["'])?""",
    re.VERBOSE,
)
_BOUND: Final = re.compile(r"(>=|<=|==|!=|>|<)\s*([\w.+!-]+)")
_RELEASE: Final = re.compile(r"\d+(?:\.\d+)*")
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    ">=": ge,
    "<=": le,
    "==": eq,
    "!=": ne,
    ">": gt,
    "<": lt,
}


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package, the versions of it that will do, and the extra that asks for it; empty = always needed."""

    name: str
    bounds: str
    extra: str = ""

    @classmethod
    def parsed(cls, text: str) -> Requirement:
        """As the metadata of a distribution have it: `numba<1,>=0.61; extra == "neural"`."""
        found = _REQUIREMENT.match(text)
        if found is None:
            return cls(text, "")
        return cls(found["name"], found["bounds"].strip(), found["extra"] or "")

    def installed(self) -> str | None:
        """The version that is there."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return None

    def allows(self, installed: str) -> bool:
        """Whether a version will do; what follows the numbers of a release is not looked at."""
        release = _release(installed)
        return all(_COMPARE[sign](release, _release(bound)) for sign, bound in _BOUND.findall(self.bounds))


def _release(text: str) -> tuple[int, ...]:
    """2.10.0 and 2.10 are the same."""
    found = _RELEASE.match(text)
    numbers = [int(number) for number in found[0].split(".")] if found else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
