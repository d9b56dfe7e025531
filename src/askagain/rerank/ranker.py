"""A judge as a Ranker: it orders the candidates of a retriever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askagain.question import Match, Question, Reason
from askagain.ranker import Ranker
from askagain.rerank.judges.base import Judge
from askagain.rerank.reranker import RerankingRanker


class JudgingScorer:
    """Gives the matches of a retriever a judge's scores."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def rescored(self, question: Question, matches: Sequence[Match]) -> list[Match]:
        """In their order; what is no longer in the archive is left out."""
        there = [(match, match.question) for match in matches if match.question is not None]
        scores = self._judge.score(question, [candidate for _, candidate in there])
        return [replace(match, score=score) for (match, _), score in zip(there, scores, strict=True)]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """The judge's."""
        return self._judge.score(question, candidates) if candidates else []

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """The judge's."""
        return self._judge.explain(question, candidate)


class JudgingRanker(RerankingRanker):
    """Takes the best candidates of one ranker, orders them by a judge's scores, and says which are true."""

    def __init__(self, name: str, retriever: Ranker, judge: Judge, depth: int) -> None:
        super().__init__(name, retriever, JudgingScorer(judge), depth)
        self._judge = judge

    def is_duplicate(
        self, question: Question, candidates: Sequence[Question], scores: Sequence[float]
    ) -> list[bool]:
        """Whether a candidate's score is above the judge's threshold."""
        return [score > self._judge.threshold for score in scores]
