"""The average: a text is the mean of its words' vectors, whatever their order."""

from __future__ import annotations

import numpy as np

from askagain.encoders.settings import Average
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats


class AverageEncoder:
    """No weights of its own: how much a word counts is the length of its vector."""

    def __init__(self, settings: Average, table: Floats) -> None:
        self.settings = settings
        # Words outside a text have the number -1, and the last row is zero.
        self._table = np.concatenate([table, np.zeros((1, settings.hidden), dtype=np.float32)])

    def encode(self, batch: Batch) -> Floats:
        """Texts to vectors [texts, d]."""
        sums = np.zeros((len(batch.ids), self.settings.hidden), dtype=np.float32)
        for words in batch.ids.T:
            sums += self._table[words]
        return sums / np.maximum(batch.lengths, 1).astype(np.float32)[:, np.newaxis]
