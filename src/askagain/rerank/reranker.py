"""Candidates of one ranker, ordered by another one's scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from askagain.question import Match, Question, Reason
from askagain.ranker import Ranker


class Scorer(Protocol):
    """What orders the candidates of another ranker."""

    def rescored(self, question: Question, matches: Sequence[Match]) -> list[Match]:
        """The same matches with other scores, in their order, without those that are gone."""

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """One score per candidate."""

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """What the candidate's score is made of, largest share first."""


class RerankingRanker:
    """Takes the best candidates of one ranker and orders them by another one's scores."""

    def __init__(self, name: str, retriever: Ranker, scorer: Scorer, depth: int) -> None:
        self._name = name
        self._retriever = retriever
        self._scorer = scorer
        self._depth = depth

    @property
    def name(self) -> str:
        """The system's name."""
        return self._name

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The k best of the candidates; equal scores keep the candidates' order."""
        candidates = self._retriever.search(question, max(k, self._depth))
        return sorted(self._scorer.rescored(question, candidates), key=lambda match: -match.score)[:k]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """The second ranker's scores."""
        return self._scorer.score(question, candidates)

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """The second ranker's reasons."""
        return self._scorer.explain(question, candidate)
