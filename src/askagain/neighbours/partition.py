"""A partition of the dense vectors of a large archive around centroids, as plain arrays.

A row is kept in short: by the centroid that it is nearest to and a code for what that leaves of it, which has
a few bits for every piece of a few numbers (Jégou, Douze and Schmid, Product Quantization for Nearest
Neighbor Search, 2011, section IV).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats
from askagain.errors import MissingExtraError
from askagain.neighbours.chunk import CAPACITY, Numbers, new_name
from askagain.neighbours.rows import Rows

_LARGEST_TAIL: Final = 0.1
# More would be copied and counted in vain; with fewer than the least, faiss warns that centroids mean little.
_TRAINING_ROWS_PER_LIST: Final = 40
_LEAST_ROWS_PER_LIST: Final = 39
_CODE_BITS: Final = 4
_CODE_TRAINING_ROWS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Partition:
    """Which list each row of the full chunks before the chunk `end` is in, and how many lists to search.

    centroids: [lists, dimension]; codebook: [pieces, codes, dimension / pieces]; ordinals: [chunks];
    list_of: [chunks, CAPACITY]; codes: [chunks, CAPACITY, bytes]. No other has its `name`.
    """

    centroids: Floats
    codebook: Floats
    ordinals: Numbers
    list_of: NDArray[np.int32]
    codes: NDArray[np.uint8]
    end: int
    probes: int
    name: str

    def is_outdated(self, rows: Rows) -> bool:
        """Whether many of the rows could be in a new partition and are not in this one."""
        later = (chunk for ordinal, chunk in rows.chunks.items() if self.end <= ordinal < rows.last)
        return sum(chunk.living for chunk in later) > _LARGEST_TAIL * len(rows)


def require_faiss() -> ModuleType:
    """The package that approximate search needs."""
    try:
        import faiss
    except ImportError:
        raise MissingExtraError(
            "approximate search needs the package faiss-cpu; install it: pip install 'askagain[neural]'"
        ) from None
    module: ModuleType = faiss
    return module


def can_be_partitioned(rows: Rows) -> bool:
    """Whether there are dense vectors in a full chunk."""
    return rows.dimension > 0 and len(rows.chunks) > 1


def make_partition(rows: Rows) -> Partition:
    """A partition of all full chunks in which every list is searched."""
    faiss = require_faiss()
    full = [ordinal for ordinal in rows.chunks if ordinal < rows.last]
    living = sum(rows.chunks[ordinal].living for ordinal in full)
    lists = min(round(4 * sqrt(living)), living // _LEAST_ROWS_PER_LIST)
    training = faiss.Kmeans(
        rows.dimension, lists, niter=10, spherical=True, max_points_per_centroid=_TRAINING_ROWS_PER_LIST
    )
    training.train(sampled(rows, full, _TRAINING_ROWS_PER_LIST * lists))
    nearest = faiss.IndexFlatIP(rows.dimension)
    nearest.add(training.centroids)
    coder = _trained_coder(rows, full, nearest)
    parts = [_in_short(rows.chunks[ordinal].vectors.dense, nearest, coder) for ordinal in full]
    list_of, codes = (np.stack(arrays) for arrays in zip(*parts, strict=True))
    return Partition(
        training.centroids,
        codebook=faiss.vector_to_array(coder.centroids).reshape(coder.M, coder.ksub, coder.dsub),
        ordinals=np.array(full),
        list_of=list_of,
        codes=codes,
        end=rows.last,
        probes=lists,
        name=new_name(),
    )


def _trained_coder(rows: Rows, ordinals: list[int], nearest: Any) -> Any:
    coder = require_faiss().ProductQuantizer(rows.dimension, _pieces_of(rows.dimension), _CODE_BITS)
    coder.cp.min_points_per_centroid = 1  # with a small archive the codes are rough, and no reason to warn
    sample = sampled(rows, ordinals, _CODE_TRAINING_ROWS)
    coder.train(sample - nearest.reconstruct_batch(nearest.assign(sample, 1)[:, 0]))
    return coder


def _in_short(dense: Floats, nearest: Any, coder: Any) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The list of each row, and its code: [rows], [rows, bytes]."""
    list_of = nearest.assign(dense, 1)[:, 0]
    codes: NDArray[np.uint8] = coder.compute_codes(dense - nearest.reconstruct_batch(list_of))
    return list_of.astype(np.int32), codes


def _pieces_of(dimension: int) -> int:
    """Into how many pieces of equal length a vector is cut: of two numbers each, if that is possible."""
    return dimension // 2 if dimension % 2 == 0 else dimension


def partition_shapes(lists: int, chunks: int, dimension: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a partition's arrays."""
    pieces = _pieces_of(dimension)
    return {
        "centroids": (lists, dimension),
        "codebook": (pieces, 2**_CODE_BITS, dimension // pieces),
        "ordinals": (chunks,),
        "list_of": (chunks, CAPACITY),
        "codes": (chunks, CAPACITY, (pieces * _CODE_BITS + 7) // 8),
    }


def filled_lists(partition: Partition, rows: Rows) -> Any:
    """faiss' lists of the living rows, which are known by their locations."""
    faiss = require_faiss()
    lists, dimension = partition.centroids.shape
    quantizer = faiss.IndexFlatIP(dimension)
    quantizer.add(partition.centroids)
    pieces = len(partition.codebook)
    index = faiss.IndexIVFPQ(quantizer, dimension, lists, pieces, _CODE_BITS, faiss.METRIC_INNER_PRODUCT)
    faiss.copy_array_to_vector(partition.codebook.reshape(-1), index.pq.centroids)
    index.is_trained = True
    for ordinal, list_of, codes in zip(
        partition.ordinals.tolist(), partition.list_of, partition.codes, strict=True
    ):
        if (chunk := rows.chunks.get(ordinal)) is not None:
            places = np.flatnonzero(chunk.alive)
            # A code begins with the number of its list, in as few bytes as hold the largest.
            numbers = list_of[places].astype("<i8").view(np.uint8).reshape(-1, 8)
            codes_here = np.hstack([numbers[:, : index.coarse_code_size()], codes[places]])
            index.add_sa_codes(codes_here, ordinal * CAPACITY + places)
    return faiss.IndexIVFPQFastScan(index)


def sampled(rows: Rows, ordinals: list[int], most: int) -> Floats:
    """Some of the living dense vectors of these chunks."""
    locations = np.concatenate(
        [ordinal * CAPACITY + np.flatnonzero(rows.chunks[ordinal].alive) for ordinal in ordinals]
    )
    chosen = np.sort(np.random.default_rng(0).permutation(locations)[:most])
    sample = np.empty((len(chosen), rows.dimension), dtype=np.float32)  # once: it is large
    for ordinal in ordinals:
        begin, end = np.searchsorted(chosen, [ordinal * CAPACITY, (ordinal + 1) * CAPACITY])
        sample[begin:end] = rows.chunks[ordinal].vectors.dense[chosen[begin:end] % CAPACITY]
    return sample
