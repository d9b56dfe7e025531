"""The fused system as a Ranker: gather, judge, calibrate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from askagain.fusion.gathering import Gathered, Gatherer
from askagain.fusion.judge import FusedJudge
from askagain.fusion.signals import OF_LISTS
from askagain.question import Match, Question, Reason
from askagain.rerank.matrix import Matrix

_EVEN = 0.5


class FusedRanker:
    """Orders the candidates of several retrievers by what was learned, each with its probability."""

    def __init__(self, name: str, gatherer: Gatherer, judge: FusedJudge) -> None:
        self._name = name
        self._gatherer = gatherer
        self._judge = judge

    @property
    def name(self) -> str:
        """The system's name."""
        return self._name

    @property
    def threshold(self) -> float:
        """The least probability at which matches were right as often as was wished."""
        return self._judge.calibration.threshold

    @property
    def is_calibrated(self) -> bool:
        """Whether the probabilities come from marks of this archive."""
        return self._judge.calibration.is_calibrated

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The k best candidates, without the question itself."""
        [matches] = self.search_together([question], k)
        return matches

    def search_together(self, questions: Sequence[Question], k: int = 10) -> list[list[Match]]:
        """The same for several questions at once."""
        some = self._gatherer.found_together(questions, k)
        return [matches for gathered in some for matches in self._best(gathered, k)]

    def search_many(self, questions: Sequence[Question], k: int = 10) -> list[list[Match]]:
        """The same for many questions, and faster: only k candidates of each retriever are judged.

        So a probability can differ a little from that of a search.
        """
        some = self._gatherer.found_for_many(questions, k)
        return [matches for gathered in some for matches in self._best(gathered, k)]

    def _best(self, gathered: Gathered, k: int) -> Iterator[list[Match]]:
        """For each list."""
        judged = self._judged(gathered)
        scores, probabilities = (values.tolist() for values in judged)
        # Equal scores keep the candidates' order.
        best = np.lexsort((-judged[0], gathered.lists.list_of_each)).tolist()
        questions = gathered.questions
        for start, end in pairwise(gathered.lists.starts.tolist()):
            yield [
                Match(questions[place].id, scores[place], probabilities[place], question=questions[place])
                for place in best[start : min(end, start + k)]
            ]

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """The candidates' scores; they stand in the order in which a search engine found them."""
        scores: list[float] = self._judged(self._gatherer.given(question, candidates))[0].tolist()
        return scores

    def is_duplicate(
        self, question: Question, candidates: Sequence[Question], scores: Sequence[float]
    ) -> list[bool]:
        """Whether a candidate is more likely a duplicate than not."""
        return [bool(likely >= _EVEN) for likely in self._judge.probabilities(np.array(scores))]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """The share of each signal of the pair alone, largest first; places in a list say nothing here."""
        gathered = self._gatherer.given(question, [candidate])
        shares = self._judge.shares(gathered.matrix[0]).tolist()
        reasons = [
            Reason(*_named(name), share)
            for name, share in zip(self._judge.names, shares, strict=True)
            if not name.endswith(OF_LISTS)
        ]
        told = [reason for reason in reasons if reason.share]
        return sorted(told, key=lambda reason: -reason.share)

    def _judged(self, gathered: Gathered) -> tuple[Matrix, Matrix]:
        if not len(gathered.matrix):
            return np.zeros(0), np.zeros(0)
        scores = self._judge.scores(gathered.matrix)
        return scores, self._judge.probabilities(scores)


def _named(signal: str) -> tuple[str, str]:
    """A signal's name and the field that it looks at."""
    field, dot, name = signal.partition(".")
    return (name, field) if dot and field in ("title", "body") else (signal, "both")
