"""Questions as vectors: what an encoder makes of them, and what nearest neighbours are sought among."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from askagain.question import Question
from askagain.sources.base import Progress, no_progress

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Offsets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class QuestionVectors:
    """One dense and one sparse vector per question; the score of two questions is the sum of both products.

    dense: [questions, dimension]. The sparse part of question i has the columns
    `columns[offsets[i]:offsets[i + 1]]`, ascending, with the values beside them.
    """

    dense: Floats
    columns: Ints
    values: Floats
    offsets: Offsets

    def __len__(self) -> int:
        return len(self.dense)

    def row(self, number: int) -> QuestionVectors:
        """One question alone."""
        start, end = self.offsets[number], self.offsets[number + 1]
        return QuestionVectors(
            self.dense[number : number + 1],
            self.columns[start:end],
            self.values[start:end],
            np.array([0, end - start], dtype=np.int64),
        )


def stacked(parts: Sequence[QuestionVectors]) -> QuestionVectors:
    """Several groups of questions as one."""
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    return QuestionVectors(
        np.concatenate([part.dense for part in parts]),
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
    )


class VectorModel(Protocol):
    """Whatever turns questions into vectors."""

    @property
    def identity(self) -> str:
        """Differs between two models that may give different vectors for a question."""

    @property
    def dimension(self) -> int:
        """The length of a dense vector; 0 if there is none."""

    @property
    def columns(self) -> int:
        """The length of a sparse vector; 0 if there is none."""

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        """One vector per question, as it is kept in an index."""

    def as_queries(self, vectors: QuestionVectors) -> QuestionVectors:
        """The same questions as the side that asks: its products with kept vectors are scores."""
