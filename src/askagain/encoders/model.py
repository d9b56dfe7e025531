"""A trained model: its parts side by side, each with its weight in the score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from askagain.encoders.explaining import Pieces, pieces_of, reasons_from
from askagain.encoders.part import PartEncoder
from askagain.encoders.reading import QuestionTexts
from askagain.encoders.vectors import Floats, QuestionVectors, stacked
from askagain.question import Question, Reason
from askagain.sources.base import Progress, no_progress

_QUESTIONS_AT_ONCE: Final = 4096
# A search explains several candidates of one question.
_REMEMBERED_QUESTIONS: Final = 16


class Model:
    """Turns questions into vectors; the score of two questions is Σ β · cos over the parts (S15, §3)."""

    def __init__(self, name: str, parts: Sequence[PartEncoder], weights: Floats, *, identity: str) -> None:
        self.name = name
        self.parts = tuple(parts)
        self.weights = weights
        self._identity = identity
        self._pieces = lru_cache(_REMEMBERED_QUESTIONS)(self._pieces_of)

    @property
    def identity(self) -> str:
        """Differs between two models that may give different vectors for a question."""
        return self._identity

    @property
    def dimension(self) -> int:
        """The length of a dense vector; 0 if there is none."""
        return sum(part.dimension for part in self.parts)

    @property
    def columns(self) -> int:
        """The length of a sparse vector; 0 if there is none."""
        return sum(part.columns for part in self.parts)

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        """One vector per question, as it is kept in an index; progress counts questions."""
        groups = []
        for first in range(0, max(len(questions), 1), _QUESTIONS_AT_ONCE):
            some = questions[first : first + _QUESTIONS_AT_ONCE]
            groups.append(self.encode_texts([part.reader.read(some) for part in self.parts]))
            progress(first + len(some), len(questions))
        return stacked(groups)

    def encode_texts(self, texts: Sequence[QuestionTexts]) -> QuestionVectors:
        """The same from what each part has read."""
        vectors = [part.encode(read) for part, read in zip(self.parts, texts, strict=True)]
        starts = np.cumsum([0, *(part.columns for part in self.parts)])
        columns = [some.columns + start for some, start in zip(vectors, starts, strict=False)]
        questions = np.concatenate(
            [np.repeat(np.arange(len(some)), np.diff(some.offsets)) for some in vectors]
        )
        by_question = np.argsort(questions, kind="stable")
        return QuestionVectors(
            np.hstack([some.dense for some in vectors]),
            np.concatenate(columns)[by_question].astype(np.int32),
            np.concatenate([some.values for some in vectors])[by_question],
            sum((some.offsets for some in vectors), np.zeros(len(vectors[0]) + 1, dtype=np.int64)),
        )

    def as_queries(self, vectors: QuestionVectors) -> QuestionVectors:
        """The same questions as the side that asks: each part's vector times the part's weight."""
        of_units = np.repeat(self.weights, [part.dimension for part in self.parts])
        ends = np.cumsum([part.columns for part in self.parts])
        of_columns = self.weights[np.searchsorted(ends, vectors.columns, side="right")]
        return QuestionVectors(
            vectors.dense * of_units, vectors.columns, vectors.values * of_columns, vectors.offsets
        )

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        """What the candidate's score is made of, in the question's words, largest share first."""
        shares = []
        for part, weight, pieces in zip(
            self.parts, self.weights.tolist(), self._pieces(question), strict=True
        ):
            theirs = part.encode(part.reader.read([candidate]))
            shares += [
                (label, weight * share)
                for label, share in zip(pieces.labels, pieces.shares(theirs), strict=True)
            ]
        return reasons_from(shares)

    def _pieces_of(self, question: Question) -> list[Pieces]:
        return [pieces_of(part, question) for part in self.parts]
