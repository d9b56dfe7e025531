"""Bags of words: how often a question has each word, times the word's weight (S15, §3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.reading import QuestionTexts, Reader
from askagain.encoders.settings import Part
from askagain.encoders.vectors import Floats, Offsets, QuestionVectors
from askagain.encoders.vocabulary import Vocabulary


class BowEncoder:
    """Sparse vectors, a column per word. Weights: term_weights [V]."""

    def __init__(self, part: Part, vocabulary: Vocabulary, weights: Mapping[str, NDArray[Any]]) -> None:
        self.part = part
        self.reader = Reader(part, vocabulary)
        self._term_weights: Floats = weights["term_weights"]

    @property
    def dimension(self) -> int:
        """No dense part."""
        return 0

    @property
    def columns(self) -> int:
        """The length of a vector."""
        return len(self._term_weights)

    def encode(self, texts: QuestionTexts) -> QuestionVectors:
        """Vectors of unit length; no columns for a question without known words.

        The average of a title's and a body's bag has the direction of their sum, so the fields are one bag.
        """
        rows, columns, counts = self._counted(texts)
        values = self._term_weights[columns].astype(np.float64) * counts
        lengths = np.sqrt(np.bincount(rows, values * values, minlength=len(texts)))
        values /= np.where(lengths > 0, lengths, 1)[rows]
        return QuestionVectors(
            np.zeros((len(texts), 0), dtype=np.float32),
            columns.astype(np.int32),
            values.astype(np.float32),
            np.searchsorted(rows, np.arange(len(texts) + 1)).astype(np.int64),
        )

    def _counted(self, texts: QuestionTexts) -> tuple[Offsets, Offsets, Offsets]:
        """Each question's distinct words, ascending, and how often it has them."""
        words = [
            np.repeat(np.arange(len(field)) * self.columns, field.lengths) + field.ids
            for field in texts.fields
        ]
        places, counts = np.unique(np.concatenate(words), return_counts=True)
        rows, columns = np.divmod(places, max(self.columns, 1))
        return rows, columns, counts
