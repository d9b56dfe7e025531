"""Nearest neighbours as a Ranker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Final, Protocol

import numpy as np

from askagain.encoders.vectors import QuestionVectors, VectorModel, stacked
from askagain.neighbours.checks import checked
from askagain.neighbours.chunk import Numbers
from askagain.neighbours.exact import Hits, Scores, scores_of
from askagain.neighbours.view import VectorView
from askagain.question import Match, Question, Reason
from askagain.ranker import matches_of

_REMEMBERED_QUERIES: Final = 1024


class ExplainingModel(VectorModel, Protocol):
    """A model that can tell why two questions are similar."""

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """What the candidate's score is made of, largest share first."""


class VectorRanker:
    """Searches a view of the archive; scores any questions with the view's model."""

    def __init__(self, name: str, view: VectorView, model: ExplainingModel) -> None:
        self._name = name
        self._view = view
        self._model = model
        self._remembered: dict[Question, QuestionVectors] = {}

    @property
    def name(self) -> str:
        """The system's name."""
        return self._name

    def search(self, question: Question, k: int = 10) -> list[Match]:
        """The k best questions, without the question itself."""
        [matches] = self.search_together([question], k)
        return matches

    def search_together(self, questions: Sequence[Question], k: int = 10) -> list[list[Match]]:
        """The same for several questions at once."""
        # One more than asked for: the question itself may be among them.
        hits = self.hits_of_many(questions, k + 1)
        found = self._view.archive.by_numbers({number for some in hits for number in some.numbers.tolist()})
        return [
            matches_of(question, some.numbers, some.scores, found)[:k]
            for question, some in zip(questions, hits, strict=True)
        ]

    def hits(self, question: Question, k: int) -> Hits:
        """The archive's numbers of the k best questions; the question itself may be among them."""
        [hits] = self.hits_of_many([question], k)
        return hits

    def hits_of_many(self, questions: Sequence[Question], k: int) -> list[Hits]:
        """The same for many questions at once, which is faster."""
        return self.hits_to_come(questions, k)()

    def hits_to_come(self, questions: Sequence[Question], k: int) -> Callable[[], list[Hits]]:
        """The same, to be called for: whoever asks several rankers need not wait for one after the other."""
        queries = self._queries(questions)
        # To a question without a known word all others are equally far.
        telling = [bool(query.dense.any() or query.values.any()) for query in queries]
        nothing = Hits(np.zeros(0, dtype=np.int64), np.zeros(0))
        if not any(telling):
            return lambda: [nothing] * len(queries)
        found = self._view.search_to_come(stacked(list(compress(queries, telling))), k)

        def hits() -> list[Hits]:
            rest = iter(found())
            return [next(rest) if tells else nothing for tells in telling]

        return hits

    def scores(self, question: Question, numbers: Iterable[int]) -> dict[int, float]:
        """The scores of those of some numbers that the archive has."""
        return self._view.scores(self._queries([question])[0], numbers)

    def scores_to_come(
        self, questions: Sequence[Question], asking: Numbers, numbers: Numbers
    ) -> Callable[[], Scores]:
        """The score of each number for the question beside it; not a number where the archive has none.

        `asking` has places of questions, equal ones together.
        """
        return self._view.scores_to_come(stacked(self._queries(questions)), asking, numbers)

    def score(self, question: Question, candidates: Sequence[Question]) -> list[float]:
        """The candidates' scores, whether they are in the archive or not."""
        if not candidates:
            return []
        vectors = checked(self._model.encode(candidates), len(candidates), self._model)
        scores = scores_of(self._queries([question])[0], vectors, self._model.columns)
        return [float(score) for score in scores]

    def rescored(self, question: Question, matches: Sequence[Match]) -> list[Match]:
        """Matches of another ranker over the same archive with this one's scores, in their order."""
        numbers = self._view.archive.numbers(match.id for match in matches)
        scores = self.scores(question, numbers.values())
        return [
            replace(match, score=scores[numbers[match.id]])
            for match in matches
            if numbers.get(match.id) in scores
        ]

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """What the model says about the pair."""
        return self._model.explain(question, candidate)

    def _queries(self, questions: Sequence[Question]) -> list[QuestionVectors]:
        """The vectors of questions as queries; those of the last ones are remembered."""
        remembered = self._remembered
        missing = [question for question in dict.fromkeys(questions) if question not in remembered]
        if missing:
            if len(remembered) + len(missing) > _REMEMBERED_QUERIES:
                # A new one, and not the old one emptied: another thread may be reading that.
                missing, remembered = list(dict.fromkeys(questions)), {}
                self._remembered = remembered
            vectors = self._model.as_queries(self._model.encode(missing))
            vectors = checked(vectors, len(missing), self._model)
            remembered.update((question, vectors.row(row)) for row, question in enumerate(missing))
        return [remembered[question] for question in questions]
