"""The CNN: one state per word, from the window around it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askagain.encoders.pooling import Pool, step_sizes
from askagain.encoders.products import product
from askagain.encoders.recurrent import Weights
from askagain.encoders.settings import Cnn
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats, Offsets


class CnnEncoder:
    """Weights: filters [width, e, d], bias [d].

    Words outside a text count as zero vectors: they have the number -1, and the last row of the products is
    zero.
    """

    def __init__(self, settings: Cnn, table: Floats, weights: Weights) -> None:
        self.settings = settings
        self._bias = weights["bias"]
        self._products = np.zeros((settings.width, len(table) + 1, settings.hidden), dtype=np.float32)
        for place, filters in enumerate(weights["filters"]):
            self._products[place, :-1] = product(table, filters)

    def encode(self, batch: Batch) -> Floats:
        """Texts to vectors [texts, d]."""
        pool = Pool(self.settings.pooling, len(batch.ids), self.settings.hidden)
        if self.settings.pooling == "mean":
            for sums in self._window_sums(batch):
                pool.add(np.tanh(sums + self._bias))
            return pool.vectors(batch.lengths)
        # tanh grows with its argument: the tanh of the largest is the largest tanh (S15, eq. 3).
        for sums in self._window_sums(batch):
            pool.add(sums)
        vectors: Floats = np.tanh(pool.vectors(batch.lengths) + self._bias)
        vectors[batch.lengths == 0] = 0
        return vectors

    def winners(self, batch: Batch) -> Offsets:
        """For each unit the word whose window has the largest value, the first of several: [texts, d]."""
        largest = np.full((len(batch.ids), self.settings.hidden), -np.inf, dtype=np.float32)
        winners = np.zeros(largest.shape, dtype=np.int64)
        for word, sums in enumerate(self._window_sums(batch)):
            winners[: len(sums)][sums > largest[: len(sums)]] = word
            np.maximum(largest[: len(sums)], sums, out=largest[: len(sums)])
        return winners

    def window(self, word: int, length: int) -> range:
        """The words of the window at a word of a text of this length."""
        first = word - self.settings.before
        return range(max(0, first), min(length, first + self.settings.width))

    def _window_sums(self, batch: Batch) -> Iterator[Floats]:
        """The windows at all first words, at all second words, and so on: [n, d] of the first n texts."""
        words = np.ascontiguousarray(batch.ids.T)
        sums = np.empty((len(batch.ids), self.settings.hidden), dtype=np.float32)
        looked_up = np.empty_like(sums)
        for word, size in enumerate(step_sizes(batch)):
            window = sums[:size]
            window[:] = 0
            first = word - self.settings.before
            for place in range(max(0, -first), min(self.settings.width, len(words) - first)):
                ids = words[first + place, :size]
                window += self._products[place].take(ids, axis=0, out=looked_up[:size], mode="wrap")
            yield window
