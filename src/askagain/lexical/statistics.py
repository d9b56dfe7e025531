"""Exact statistics of the living questions, kept up to date with every add and delete."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from askagain.jit import Arrays, compiled
from askagain.lexical.segment import FREQUENCY_BITS, MOST_FREQUENT, Documents
from askagain.lexical.similarities import FieldStatistics


class CollectionStatistics:
    """Per field: questions that have it, terms. Per term in a field: questions that hold it, how often."""

    def __init__(self, fields: int) -> None:
        self.questions = np.zeros(fields, dtype=np.int64)
        self.terms = np.zeros(fields, dtype=np.int64)
        self.holding = np.zeros((fields, 1024), dtype=np.int32)
        self.occurrences = np.zeros((fields, 1024), dtype=np.int64)

    def make_room(self, terms: int) -> None:
        """Room for that many distinct terms."""
        capacity = self.holding.shape[1]
        if terms <= capacity:
            return
        extra = ((0, 0), (0, max(terms, capacity + capacity // 4) - capacity))
        self.holding = np.pad(self.holding, extra)
        self.occurrences = np.pad(self.occurrences, extra)

    def add(self, documents: Documents, first: int = 0, last: int | None = None) -> None:
        """Count the documents first..last in."""
        end = documents.size if last is None else last
        _count(tuple(documents), first, end, 1, self.arrays)

    def remove(self, documents: Documents, place: int) -> None:
        """Count one document out."""
        _count(tuple(documents), place, place + 1, -1, self.arrays)

    def field(self, f: int) -> FieldStatistics:
        """Totals of one field."""
        return FieldStatistics(int(self.questions[f]), int(self.terms[f]))

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """As kernels take them."""
        return self.questions, self.terms, self.holding, self.occurrences


@compiled
def _count(documents: Arrays, first: int, last: int, sign: int, statistics: Arrays) -> None:
    _, lengths, starts, entries = documents
    questions, terms, holding, occurrences = statistics
    fields = lengths.shape[0]
    for document in range(first, last):
        for f in range(fields):
            if lengths[f, document]:
                questions[f] += sign
                terms[f] += sign * np.int64(lengths[f, document])
            for place in range(starts[document * fields + f], starts[document * fields + f + 1]):
                term = entries[place] >> FREQUENCY_BITS
                holding[f, term] += sign
                occurrences[f, term] += sign * np.int64(entries[place] & MOST_FREQUENT)
