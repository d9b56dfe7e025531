"""Approximate nearest neighbours of a large archive: faiss proposes rows, which are then scored exactly.

The rows of a partition are sought by their codes, in the lists nearest to a query. What came after the
partition is searched exactly. Where there is a sparse part, the rows that are best by it alone are proposed
as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.neighbours import kernels
from askagain.neighbours.chunk import CAPACITY, Chunk, Numbers
from askagain.neighbours.exact import Best, Hits, arrays_of, search_chunks
from askagain.neighbours.partition import (
    Partition,
    filled_lists,
    make_partition,
    require_faiss,
    sampled,
)
from askagain.neighbours.rows import Rows

WANTED_RECALL: Final = 0.97
CANDIDATES: Final = 64
"""How many rows each part proposes at least: codes are rough, so that it has to be many more than wanted."""

_SAMPLE: Final = 200
_NEIGHBOURS: Final = 10
# The number of lists to search is found to within this part of itself.
_PRECISION: Final = 16
_EQUAL: Final = 1e-5


class ApproximateIndex:
    """Searches rows with the help of a partition; changes of the rows hold in the next search."""

    def __init__(self, rows: Rows, partition: Partition) -> None:
        self.partition = partition
        self._rows = rows
        self._faiss: Any = require_faiss()
        self._lists = filled_lists(partition, rows)

    @classmethod
    def build(cls, rows: Rows) -> Self:
        """Partition rows, and search as few lists as the wanted recall takes."""
        index = cls(rows, make_partition(rows))
        index.partition = replace(index.partition, probes=index._fewest_probes())
        return index

    def search(self, queries: QuestionVectors, k: int, columns: int) -> list[Hits]:
        """About the k best rows for each query, with exact scores; `columns` as in exact search."""
        best = Best(len(queries), min(k, len(self._rows)))
        search_chunks(self._later_chunks(), queries, best, columns)
        proposed = [self._dense_candidates(queries.dense, k)]
        if columns:
            proposed.append(self._sparse_candidates(queries, k, columns))
        self._score(queries, np.concatenate(proposed, axis=1), columns, best)
        return best.hits()

    def _later_chunks(self) -> list[Chunk]:
        return [chunk for ordinal, chunk in self._rows.chunks.items() if ordinal >= self.partition.end]

    def _partitioned_chunks(self) -> list[tuple[int, Chunk]]:
        return [item for item in self._rows.chunks.items() if item[0] < self.partition.end]

    def _score(self, queries: QuestionVectors, locations: Numbers, columns: int, best: Best) -> None:
        """Offer the proposed rows [queries, many], each once, to the best of their queries."""
        spread = np.zeros(columns, dtype=np.float32)
        for ordinal, asking, places in _by_chunk(locations):
            chunk = self._rows.chunks[ordinal]
            kernels.offer_rows(
                arrays_of(queries), arrays_of(chunk.vectors), chunk.numbers, asking, places, spread,
                best.found, best.tops,
            )  # fmt: skip

    # The dense part

    def _dense_candidates(self, dense: Floats, k: int) -> Numbers:
        """Locations of the best rows by the dense part; more lists are searched where most are dead."""
        probes, lists = self.partition.probes, len(self.partition.centroids)
        wanted = min(k, len(self._rows) - sum(chunk.living for chunk in self._later_chunks()))
        while True:
            locations = self._best_by_codes(dense, max(2 * k, CANDIDATES), probes)
            if probes >= lists or np.count_nonzero(locations >= 0, axis=1).min(initial=k) >= wanted:
                return locations
            probes *= 2

    def _best_by_codes(self, dense: Floats, count: int, probes: int) -> Numbers:
        """Locations [queries, count] of the living rows in these lists that seem best; -1 = none."""
        living = self._faiss.IDSelectorBitmap(self._living_bits())
        parameters = self._faiss.SearchParametersIVF(sel=living, nprobe=probes)
        locations: Numbers = self._lists.search(dense, count, params=parameters)[1]
        return locations

    def _living_bits(self) -> NDArray[np.uint8]:
        """One bit per location."""
        nothing = np.zeros(CAPACITY, dtype=np.uint8)
        chunks = dict(self._partitioned_chunks())
        alive = [
            chunks[ordinal].alive if ordinal in chunks else nothing for ordinal in range(self.partition.end)
        ]
        return np.packbits(np.concatenate(alive), bitorder="little")

    def _fewest_probes(self) -> int:
        """How many lists have to be searched for the wanted recall on a sample of the rows."""
        sample = _without_sparse(sampled(self._rows, self.partition.ordinals.tolist(), _SAMPLE))
        # One more, because each row finds itself, which proves nothing.
        worst = self._worst_products(sample, _NEIGHBOURS + 1)
        worst -= _EQUAL * np.abs(worst)
        too_few, enough = 0, len(self.partition.centroids)
        probes = 1
        while enough - too_few > max(1, too_few // _PRECISION):
            if self._recall(sample, worst, probes) >= WANTED_RECALL:
                enough = probes
            else:
                too_few = probes
            probes = min(2 * probes, (too_few + enough) // 2)
        return enough

    def _recall(self, sample: QuestionVectors, worst: NDArray[np.float64], probes: int) -> float:
        """The share of the true neighbours that searching so many lists finds."""
        best = Best(len(sample), _NEIGHBOURS + 1)
        best.tops[0][:] = -np.inf
        self._score(sample, self._best_by_codes(sample.dense, CANDIDATES, probes), 0, best)
        right = np.count_nonzero(best.tops[0] >= worst[:, None], axis=1) - 1
        return float(right.mean()) / _NEIGHBOURS

    def _worst_products(self, queries: QuestionVectors, count: int) -> NDArray[np.float64]:
        """The last of each query's `count` best dense products, from exact search."""
        best = Best(len(queries), count)
        chunks = (_dense_part(chunk) for _, chunk in self._partitioned_chunks())
        search_chunks(chunks, queries, best, columns=0)
        return np.asarray(best.tops[0].min(axis=1))

    # The sparse part

    def _sparse_candidates(self, queries: QuestionVectors, k: int, columns: int) -> Numbers:
        """Locations of the best rows by the sparse part."""
        best = Best(len(queries), max(k, CANDIDATES))
        best.tops[1][:] = -1
        chunks = (_sparse_part(ordinal, chunk) for ordinal, chunk in self._partitioned_chunks())
        search_chunks(chunks, _without_dense(queries), best, columns)
        return best.tops[1]


def _by_chunk(locations: Numbers) -> Iterator[tuple[int, Numbers, Numbers]]:
    """The chunks of all locations but -1, with ascending queries and the places that they ask for."""
    queries = len(locations)
    asking = np.broadcast_to(np.arange(queries)[:, None], locations.shape)[locations >= 0]
    ordinals, places = np.divmod(locations[locations >= 0], CAPACITY)
    ordinals, rest = np.divmod(
        np.unique((ordinals * queries + asking) * CAPACITY + places), queries * CAPACITY
    )
    asking, places = np.divmod(rest, CAPACITY)
    different, begins = np.unique(ordinals, return_index=True)
    for ordinal, begin, end in zip(different.tolist(), begins, [*begins[1:], len(rest)], strict=True):
        yield ordinal, asking[begin:end], places[begin:end]


def _dense_part(chunk: Chunk) -> Chunk:
    return Chunk(chunk.numbers, _without_sparse(chunk.vectors.dense), chunk.alive, chunk.longest)


def _sparse_part(ordinal: int, chunk: Chunk) -> Chunk:
    """A chunk without its dense part; its rows are known by their locations."""
    locations = ordinal * CAPACITY + np.arange(chunk.count)
    return Chunk(locations, _without_dense(chunk.vectors), chunk.alive, longest=0.0)


def _without_sparse(dense: Floats) -> QuestionVectors:
    offsets = np.zeros(len(dense) + 1, dtype=np.int64)
    return QuestionVectors(dense, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32), offsets)


def _without_dense(vectors: QuestionVectors) -> QuestionVectors:
    return QuestionVectors(vectors.dense[:, :0], vectors.columns, vectors.values, vectors.offsets)
