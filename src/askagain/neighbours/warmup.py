"""Compiles every kernel of vector search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from askagain.archive import Archive
from askagain.encoders.vectors import QuestionVectors, stacked
from askagain.neighbours.view import VectorView
from askagain.question import Question
from askagain.sources.base import Progress, no_progress

# From so many queries on there is a kernel for their products, below another one for those of codes.
_MANY_QUERIES: Final = 16


class _Lengths:
    """A model that looks at nothing but lengths."""

    identity = "lengths"
    dimension = 2
    columns = 2

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        dense = np.array([(len(question.title), 1.0) for question in questions], dtype=np.float32)
        return QuestionVectors(
            dense,
            np.zeros(len(questions), dtype=np.int32),
            np.ones(len(questions), dtype=np.float32),
            np.arange(len(questions) + 1, dtype=np.int64),
        )

    def as_queries(self, vectors: QuestionVectors) -> QuestionVectors:
        return vectors


def warm_up() -> None:
    """Takes a tiny view through its whole life, the second time from its files."""
    model = _Lengths()
    with TemporaryDirectory(prefix="askagain-") as folder, Archive.open(Path(folder) / "few.db") as archive:
        for life in range(2):
            archive.put_many(Question("?" * (life + number), id=str(number)) for number in range(5))
            archive.delete("1")
            with VectorView.open(archive, model) as view:
                query = model.encode([Question("???")])
                view.search(query, 2)
                view.search(stacked([query] * _MANY_QUERIES), 2)
                view.scores(query, [2, 3])
