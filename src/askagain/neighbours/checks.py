"""What a model gives is checked before kernels, which do not look where they read, get it."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from askagain.encoders.vectors import Floats, QuestionVectors, VectorModel
from askagain.errors import EncodingError

LARGEST: Final = 1e15
"""Sums of products of larger values may be infinite in single precision."""

logger = logging.getLogger(__name__)


def checked(vectors: QuestionVectors, count: int, model: VectorModel) -> QuestionVectors:
    """The vectors of `count` questions in contiguous arrays; values without meaning count as 0."""
    contiguous = QuestionVectors(
        np.ascontiguousarray(vectors.dense, dtype=np.float32),
        np.ascontiguousarray(vectors.columns, dtype=np.int32),
        np.ascontiguousarray(vectors.values, dtype=np.float32),
        np.ascontiguousarray(vectors.offsets, dtype=np.int64),
    )
    if (fault := fault_of(contiguous, count, model.dimension, model.columns)) is not None:
        raise EncodingError(f"the model {model.identity} has given unusable vectors: {fault}")
    return _finite(contiguous, model)


def fault_of(vectors: QuestionVectors, count: int, dimension: int, columns: int) -> str | None:
    """What is wrong with the shapes of `count` vectors, or with the columns that they name."""
    if vectors.dense.shape != (count, dimension):
        return f"the dense part is {vectors.dense.shape} instead of {(count, dimension)}"
    offsets, entries = vectors.offsets, len(vectors.columns)
    if offsets.shape != (count + 1,) or vectors.columns.ndim != 1 or vectors.values.shape != (entries,):
        return f"offsets, columns and values are not those of {count} sparse vectors"
    if offsets[0] != 0 or offsets[-1] != entries or (np.diff(offsets) < 0).any():
        return f"the offsets do not ascend from 0 to {entries}"
    if entries and not 0 <= int(vectors.columns.min()) <= int(vectors.columns.max()) < columns:
        return f"there is a column outside of 0 to {columns - 1}"
    return None


def _finite(vectors: QuestionVectors, model: VectorModel) -> QuestionVectors:
    dense, values = _limited(vectors.dense), _limited(vectors.values)
    if dense is vectors.dense and values is vectors.values:
        return vectors
    logger.warning("the model %s has given values that are no numbers or above %g", model.identity, LARGEST)
    return QuestionVectors(dense, vectors.columns, values, vectors.offsets)


def _limited(values: Floats) -> Floats:
    usable = np.abs(values) <= LARGEST
    return values if usable.all() else np.where(usable, values, np.float32(0.0))
