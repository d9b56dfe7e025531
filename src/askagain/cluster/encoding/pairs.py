"""Two questions whose features are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.question import Question


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """A question and a candidate; `verdict` is what a person said about them, if somebody did."""

    first: Question
    second: Question
    verdict: str = ""
