"""What the recurrent networks share: they read a batch word by word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

import numpy as np

from askagain.encoders.pooling import Pool, step_sizes
from askagain.encoders.settings import Pooling
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats, Ints

Weights: TypeAlias = Mapping[str, Floats]
"""The weights of a network, by the names that its twin in `training` gives them."""


class Cell(Protocol):
    """A network in the middle of some texts."""

    def step(self, words: Ints) -> Floats:
        """Read the next word of the first texts [n]: their new states [n, d], valid until the next step."""


def read_by(cell: Cell, batch: Batch, pooling: Pooling, units: int) -> Floats:
    """The vectors [texts, d] of all texts of a batch."""
    pool = Pool(pooling, len(batch.ids), units)
    for words in word_steps(batch):
        pool.add(cell.step(words))
    return pool.vectors(batch.lengths)


def word_steps(batch: Batch) -> Iterator[Ints]:
    """The first words of all texts, the second words of all that have one, and so on."""
    steps = np.ascontiguousarray(batch.ids.T)
    for words, size in zip(steps, step_sizes(batch), strict=True):
        yield words[:size]


def look_up(products: Floats, words: Ints, out: Floats) -> Floats:
    """The rows of these words, in the first rows of `out`."""
    # The mode matters for speed alone: the words are rows of the products.
    rows: Floats = products.take(words, axis=0, out=out[: len(words)], mode="clip")
    return rows


def sigmoid(values: Floats) -> Floats:
    """1 / (1 + e^−x), in place."""
    np.negative(values, out=values)
    with np.errstate(over="ignore"):  # 1 / ∞ is the right answer
        np.exp(values, out=values)
    values += 1
    return np.reciprocal(values, out=values)
