"""A judge that says yes or no, and nothing in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from askagain.question import Question, Reason
from askagain.rerank.judges.base import Judge


class LabellingJudge:
    """The score is 1 or 0, so that most are equal: ties keep their order, which is the search engine's."""

    threshold: Final = 0.5

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """1 where the judge says yes."""
        return [float(score > self._judge.threshold) for score in self._judge.score(query, candidates)]

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """The judge's reasons for what it would have said in between."""
        return self._judge.explain(query, candidate)
