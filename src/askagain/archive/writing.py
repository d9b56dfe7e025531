"""Writing one question with a look at what is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from askagain.question import Question

Check = Callable[[Question | None], None]
"""Raises an error if a question, as it is there, must not be written."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a write: the question as it was before, and the number of the last change."""

    before: Question | None
    changed: bool
    position: int
