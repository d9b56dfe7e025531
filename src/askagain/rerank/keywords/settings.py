"""What can be set in the extraction of keywords; the defaults are the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from askagain.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordSettings:
    """The base b of path lengths, TextRank's damping d, and how many keywords there are to be.

    `share` is of all words of a sub-sentence, as Q17 (§3) has it; those that are no candidates count, too.
    """

    base: float = 1.4
    damping: float = 0.8
    share: float = 1 / 3

    def __post_init__(self) -> None:
        _check("base", self.base, self.base > 1 and isfinite(self.base), "a number above 1")
        _check("damping", self.damping, 0 <= self.damping < 1, "at least 0 and below 1")
        _check("share", self.share, 0 < self.share <= 1, "above 0 and at most 1")


def _check(name: str, value: float, is_good: bool, expected: str) -> None:
    if not is_good:
        raise SettingsError(f"keyword setting {name} is {value!r}; expected {expected}")


PAPER = KeywordSettings()
