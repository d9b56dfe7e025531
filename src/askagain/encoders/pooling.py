"""From the states of a text's words to one vector; the states come step by step and are not kept."""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.encoders.settings import Pooling
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats, Offsets

_SHORTEST: Final = np.float32(1e-12)


class Pool:
    """The last state of each text, the mean of its states of unit length, or their largest values."""

    def __init__(self, pooling: Pooling, texts: int, units: int) -> None:
        self._pooling = pooling
        start = -np.inf if pooling == "max" else 0.0
        self._pooled = np.full((texts, units), start, dtype=np.float32)

    def add(self, states: Floats) -> None:
        """The states of the first texts at one word more: [n, units]."""
        pooled = self._pooled[: len(states)]
        if self._pooling == "last":
            pooled[:] = states
        elif self._pooling == "max":
            np.maximum(pooled, states, out=pooled)
        else:
            pooled += unit_length(states)

    def vectors(self, lengths: Offsets) -> Floats:
        """One vector per text: [texts, units]; zeros for a text without words."""
        pooled = self._pooled
        if self._pooling == "mean":
            pooled /= np.maximum(lengths, 1)[:, np.newaxis]
        pooled[lengths == 0] = 0
        return pooled


def unit_length(rows: Floats) -> Floats:
    """Each row divided by its length; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    scaled: Floats = rows / np.maximum(lengths, _SHORTEST)[:, np.newaxis]
    return scaled


def step_sizes(batch: Batch) -> list[int]:
    """How many texts have a first word, a second one, …: they are the first ones of the batch."""
    steps = np.arange(batch.ids.shape[1])
    sizes: list[int] = np.searchsorted(-batch.lengths, -steps).tolist()
    return sizes
