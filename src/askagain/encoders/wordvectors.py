"""Word vectors: one row of numbers for each known word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from askagain.encoders.pooling import unit_length
from askagain.encoders.vectors import Floats

VectorsOf = Callable[[Sequence[str]], Floats]
"""Words, known or not, to vectors of unit length, or zeros: [words, d]."""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Different words and their vectors; matrix: [words, dimension]."""

    words: tuple[str, ...]
    matrix: Floats

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.matrix.shape[1])

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def of(self, word: str) -> Floats:
        """The vector of a known word: [dimension]."""
        row: Floats = self.matrix[self.index[word]]
        return row

    def units(self, words: Sequence[str]) -> Floats:
        """Of unit length; zeros for words that are not known: [words, d]."""
        return unit_length(_rows(self, words))


def joined(sources: Sequence[WordVectors], words: Sequence[str]) -> WordVectors:
    """All vectors of each word side by side; zeros stand for one that is not known.

    The product of two joined vectors is the sum of the products of their parts. Vectors from different
    sources have different lengths (GloVe's are several times as long as those of a skip-gram), and the
    longer ones would decide that sum alone. So the known vectors of each part get a mean length of 1 first;
    those of a single source stay as they are.
    """
    parts = [_rows(vectors, words) for vectors in sources]
    if len(parts) > 1:
        parts = [of_unit_mean_length(part) for part in parts]
    return WordVectors(tuple(words), np.ascontiguousarray(np.hstack(parts), dtype=np.float32))


def _rows(vectors: WordVectors, words: Sequence[str]) -> Floats:
    rows = np.zeros((len(words), vectors.dimension), dtype=np.float32)
    known = [place for place, word in enumerate(words) if word in vectors]
    rows[known] = vectors.matrix[[vectors.index[words[place]] for place in known]]
    return rows


def of_unit_mean_length(rows: Floats) -> Floats:
    """Whatever the source, vectors of the same size; rows of zeros do not count."""
    lengths = np.linalg.norm(rows, axis=1)
    return rows / lengths[lengths > 0].mean() if lengths.any() else rows
