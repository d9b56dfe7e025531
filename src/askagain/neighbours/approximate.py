"""Approximate nearest neighbours of a large archive: faiss proposes rows, which are then scored exactly.

The rows of a partition are searched in the lists nearest to a query (Jégou, Douze and Schmid, Product
Quantization for Nearest Neighbor Search, 2011, section IV.A; here with the vectors themselves). What came
after the partition is searched exactly. Where there is a sparse part, the rows that are best by it alone are
proposed as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.neighbours import kernels
from askagain.neighbours.chunk import CAPACITY, Chunk, Numbers
from askagain.neighbours.exact import Best, Hits, arrays_of, search_chunks
from askagain.neighbours.partition import Partition, make_partition, require_faiss, sampled
from askagain.neighbours.rows import Rows

WANTED_RECALL: Final = 0.97
CANDIDATES: Final = 200
"""How many rows each part proposes, if not more are asked for."""

_SAMPLE: Final = 200
_NEIGHBOURS: Final = 10
_EQUAL: Final = 1e-5


class ApproximateIndex:
    """Searches rows with the help of a partition; changes of the rows hold in the next search."""

    def __init__(self, rows: Rows, partition: Partition) -> None:
        self.partition = partition
        self._rows = rows
        self._faiss: Any = require_faiss()
        self._lists = self._filled_lists()

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
        for query, locations in enumerate(np.concatenate(proposed, axis=1)):
            self._score(queries, query, np.unique(locations[locations >= 0]), columns, best)
        return best.hits()

    def _later_chunks(self) -> list[Chunk]:
        return [chunk for ordinal, chunk in self._rows.chunks.items() if ordinal >= self.partition.end]

    def _partitioned_chunks(self) -> list[tuple[int, Chunk]]:
        return [item for item in self._rows.chunks.items() if item[0] < self.partition.end]

    def _score(
        self, queries: QuestionVectors, query: int, locations: Numbers, columns: int, best: Best
    ) -> None:
        spread = np.zeros(columns, dtype=np.float32)
        ordinals, places = np.divmod(locations, CAPACITY)
        for ordinal in np.unique(ordinals).tolist():
            chunk, here = self._rows.chunks[ordinal], places[ordinals == ordinal]
            scores = kernels.score_rows(arrays_of(queries), query, arrays_of(chunk.vectors), here, spread)
            best.offer(query, chunk.numbers[here], scores)

    # The dense part

    def _filled_lists(self) -> Any:
        """The inverted lists of the living rows, which are known by their locations."""
        partition, faiss = self.partition, self._faiss
        quantizer = faiss.IndexFlatIP(self._rows.dimension)
        quantizer.add(partition.centroids)
        lists = faiss.IndexIVFFlat(
            quantizer, self._rows.dimension, len(partition.centroids), faiss.METRIC_INNER_PRODUCT
        )
        for ordinal, list_of in zip(partition.ordinals.tolist(), partition.list_of, strict=True):
            if (chunk := self._rows.chunks.get(ordinal)) is not None:
                places = np.flatnonzero(chunk.alive)
                arrays = (
                    chunk.vectors.dense[places],
                    ordinal * CAPACITY + places,
                    list_of[places].astype(np.int64),
                )
                lists.add_core(len(places), *map(faiss.swig_ptr, arrays))
        return lists

    def _dense_candidates(self, dense: Floats, k: int) -> Numbers:
        """Locations of the best rows by the dense part; more lists are searched where most are dead."""
        probes, lists = self.partition.probes, len(self.partition.centroids)
        wanted = min(k, sum(chunk.living for _, chunk in self._partitioned_chunks()))
        while True:
            _, locations = self._best_by_dense_part(dense, max(k, CANDIDATES), probes)
            if probes >= lists or np.count_nonzero(locations >= 0, axis=1).min(initial=k) >= wanted:
                return locations
            probes *= 2

    def _best_by_dense_part(self, dense: Floats, count: int, probes: int) -> tuple[Floats, Numbers]:
        """Products and locations [queries, count] of the best living rows in these lists; -1 = none."""
        living = self._faiss.IDSelectorBitmap(self._living_bits())
        parameters = self._faiss.SearchParametersIVF(sel=living, nprobe=probes)
        products, locations = self._lists.search(dense, count, params=parameters)
        return products, locations

    def _living_bits(self) -> NDArray[np.uint8]:
        """One bit per location."""
        bits = np.zeros((self.partition.end, CAPACITY // 8), dtype=np.uint8)
        for ordinal, chunk in self._partitioned_chunks():
            bits[ordinal] = np.packbits(chunk.alive, bitorder="little")
        return bits.reshape(-1)

    def _fewest_probes(self) -> int:
        """How many lists have to be searched for the wanted recall on a sample of the rows."""
        sample = sampled(self._rows, self.partition.ordinals.tolist(), _SAMPLE)
        # One more, because each row finds itself, which proves nothing.
        worst = self._worst_products(sample, _NEIGHBOURS + 1)
        worst -= _EQUAL * np.abs(worst)
        probes, lists = 1, len(self.partition.centroids)
        while probes < lists:
            products, _ = self._best_by_dense_part(sample, _NEIGHBOURS + 1, probes)
            right = np.count_nonzero(products >= worst[:, None], axis=1) - 1
            if right.mean() >= WANTED_RECALL * _NEIGHBOURS:
                return probes
            probes *= 2
        return lists

    def _worst_products(self, dense: Floats, count: int) -> NDArray[np.float64]:
        """The last of each query's `count` best dense products, from exact search."""
        best = Best(len(dense), count)
        chunks = (_dense_part(chunk) for _, chunk in self._partitioned_chunks())
        search_chunks(chunks, _without_sparse(dense), best, columns=0)
        return np.asarray(best.tops[0].min(axis=1))

    # The sparse part

    def _sparse_candidates(self, queries: QuestionVectors, k: int, columns: int) -> Numbers:
        """Locations of the best rows by the sparse part."""
        best = Best(len(queries), max(k, CANDIDATES))
        best.tops[1][:] = -1
        chunks = (_sparse_part(ordinal, chunk) for ordinal, chunk in self._partitioned_chunks())
        search_chunks(chunks, _without_dense(queries), best, columns)
        return best.tops[1]


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
