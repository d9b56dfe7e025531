"""A partition of the dense vectors of a large archive around centroids, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats
from askagain.errors import MissingExtraError
from askagain.neighbours.chunk import CAPACITY, Numbers, new_name
from askagain.neighbours.rows import Rows

_LARGEST_TAIL: Final = 0.1
_TRAINING_ROWS_PER_LIST: Final = 64
# With fewer, faiss warns that its centroids mean little.
_LEAST_ROWS_PER_LIST: Final = 39


@dataclass(frozen=True, slots=True)
class Partition:
    """Which list each row of the full chunks before the chunk `end` is in, and how many lists to search.

    centroids: [lists, dimension]; ordinals: [chunks]; list_of: [chunks, CAPACITY]. No other has its `name`.
    """

    centroids: Floats
    ordinals: Numbers
    list_of: NDArray[np.int32]
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
    centroids = faiss.IndexFlatIP(rows.dimension)
    centroids.add(training.centroids)
    nearest = [centroids.assign(rows.chunks[ordinal].vectors.dense, 1)[:, 0] for ordinal in full]
    list_of = np.array(nearest, dtype=np.int32)
    return Partition(training.centroids, np.array(full), list_of, rows.last, probes=lists, name=new_name())


def sampled(rows: Rows, ordinals: list[int], most: int) -> Floats:
    """Some of the living dense vectors of these chunks."""
    locations = np.concatenate(
        [ordinal * CAPACITY + np.flatnonzero(rows.chunks[ordinal].alive) for ordinal in ordinals]
    )
    chosen = np.random.default_rng(0).permutation(locations)[:most]
    parts = [
        rows.chunks[ordinal].vectors.dense[chosen[chosen // CAPACITY == ordinal] % CAPACITY]
        for ordinal in ordinals
    ]
    return np.concatenate(parts)
