"""Exact nearest neighbours: every living row is scored, and the best are ordered by score, then by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.neighbours import kernels
from askagain.neighbours.chunk import Chunk, Numbers
from askagain.neighbours.rough import RoughQueries
from askagain.neighbours.rows import Rows

Scores = NDArray[np.float64]
Arrays = tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]

_MANY_QUERIES: Final = 8
"""For fewer, reading the rows takes longer than multiplying them: codes are read faster."""
# The rounding error of a product of n terms is below n * 2^-24 of the product of both lengths (Higham,
# Accuracy and Stability of Numerical Algorithms, section 3.1): twice that, and what underflow can take away.
_ROUNDING: Final = 2.0**-23
_UNDERFLOW: Final = 1e-35


class _Look(NamedTuple):
    """Dense products of all queries with the rows of a chunk, and how far they may be from the true ones.

    products: [queries, rows]; margins: [queries].
    """

    chunk: Chunk
    products: Floats
    margins: Scores


class Hits(NamedTuple):
    """Numbers and scores of the best questions, best first."""

    numbers: Numbers
    scores: Scores


class Best:
    """The best rows so far for each query."""

    def __init__(self, queries: int, k: int) -> None:
        self.found = np.zeros(queries, dtype=np.int64)
        self.tops = (np.zeros((queries, k)), np.zeros((queries, k), dtype=np.int64))

    def hits(self) -> list[Hits]:
        """What was found, best first."""
        return [self._ordered(query, found) for query, found in enumerate(self.found.tolist())]

    def _ordered(self, query: int, found: int) -> Hits:
        scores, numbers = self.tops[0][query, :found], self.tops[1][query, :found]
        order = np.lexsort((numbers, -scores))
        return Hits(numbers[order], scores[order])


def search(rows: Rows, queries: QuestionVectors, k: int, columns: int) -> list[Hits]:
    """The k best rows for each query; `columns` is the length of the sparse vectors."""
    best = Best(len(queries), min(k, len(rows)))
    search_chunks(rows.chunks.values(), queries, best, columns)
    return best.hits()


def search_chunks(chunks: Iterable[Chunk], queries: QuestionVectors, best: Best, columns: int) -> None:
    """Offer every living row of the chunks to the best of each query."""
    looks = _looks_by_products if len(queries) >= _MANY_QUERIES else _looks_by_codes
    spread = np.zeros(columns, dtype=np.float32)
    for chunk, products, margins in looks(chunks, queries.dense):
        kernels.search_chunk(
            arrays_of(queries), arrays_of(chunk.vectors), chunk.numbers, chunk.alive, products, margins,
            spread, best.found, best.tops,
        )  # fmt: skip


def _looks_by_products(chunks: Iterable[Chunk], queries: Floats) -> Iterator[_Look]:
    """Products in single precision; not by BLAS, whose threads would take other processes' cores away."""
    rounding, lengths = (queries.shape[1] + 2) * _ROUNDING, _lengths(queries)
    for chunk in chunks:
        margins = rounding * lengths * chunk.longest + _UNDERFLOW
        yield _Look(chunk, kernels.products_of_many(queries, chunk.vectors.dense), margins)


def _looks_by_codes(chunks: Iterable[Chunk], queries: Floats) -> Iterator[_Look]:
    """Products of rounded queries with rounded rows, exact but for their scales.

    Where the codes stand for q' and r', and q = q' + f, r = r' + e: q · r = q' · r' + q · e + f · r'.
    """
    rough, lengths = RoughQueries(queries), _lengths(queries)
    for chunk in chunks:
        rows = chunk.rough
        longest = chunk.longest + rows.error
        rounding = 4 * _ROUNDING * (lengths + rough.errors) * longest
        margins = lengths * rows.error + rough.errors * longest + rounding + _UNDERFLOW
        yield _Look(chunk, rough.products(rows), margins)


def _lengths(queries: Floats) -> Scores:
    lengths: Scores = np.sqrt(np.square(queries, dtype=np.float64).sum(axis=1))
    return lengths


def scores_of(query: QuestionVectors, vectors: QuestionVectors, columns: int) -> Scores:
    """The score of each vector for one query, with the same bits as in a search."""
    places, spread = np.arange(len(vectors)), np.zeros(columns, dtype=np.float32)
    scores: Scores = kernels.score_rows(arrays_of(query), 0, arrays_of(vectors), places, spread)
    return scores


def scores_of_pairs(
    rows: Rows, queries: QuestionVectors, asking: Numbers, numbers: Numbers, columns: int
) -> Scores:
    """The score of the question with each number for the query beside it, of which equal ones stand together.

    Not a number where a question has no row.
    """
    scores, spread = np.full(len(numbers), np.nan), np.zeros(columns, dtype=np.float32)
    for chunk, places, pairs in rows.located(numbers):
        kernels.score_pairs(
            arrays_of(queries), arrays_of(chunk.vectors), asking[pairs], places, pairs, spread, scores
        )
    return scores


def arrays_of(vectors: QuestionVectors) -> Arrays:
    """Vectors as kernels take them."""
    return vectors.dense, vectors.columns, vectors.values, vectors.offsets
