"""The one interface of everything that orders questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from askagain.question import Match, Question, Reason


class Ranker(Protocol):
    """Orders questions by how likely the same answer settles them and the one that is asked."""

    @property
    def name(self) -> str:
        """The system's name, as in its recipe."""

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The `k` best questions of the archive, best first, without the question itself."""

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """One score per candidate, in the candidates' order; higher is more similar."""

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """What the candidate's score is made of, largest share first."""


@runtime_checkable
class CalibratedRanker(Protocol):
    """A ranker whose matches have probabilities."""

    @property
    def threshold(self) -> float:
        """The least probability at which matches were right as often as was wished."""

    @property
    def is_calibrated(self) -> bool:
        """Whether probabilities and threshold come from marks of the archive that is searched."""


@runtime_checkable
class TogetherRanker(Protocol):
    """A ranker that can search for several questions at once."""

    def search_together(self, questions: Sequence[Question], k: int = 10) -> list[list[Match]]:
        """For each question what a search of its own would give."""


@runtime_checkable
class BulkRanker(Protocol):
    """A ranker that is faster with many questions at once."""

    def search_many(self, questions: Sequence[Question], k: int = 10) -> list[list[Match]]:
        """For each question its k best ones, without the question itself."""


def matches_of(question: Question, numbers: Any, scores: Any, found: Mapping[int, Question]) -> list[Match]:
    """Hits as matches, from arrays of numbers and scores; without the question itself and what is gone."""
    return [
        Match(found[number].id, score, question=found[number])
        for number, score in zip(numbers.tolist(), scores.tolist(), strict=True)
        if number in found and not (question.id and found[number].id == question.id)
    ]
