"""The average: a text is the mean of its words' vectors, whatever their order."""

from __future__ import annotations

from torch import Tensor, nn

from askagain.encoders.settings import Average
from askagain.training.networks.inputs import TextBatch


class AverageNetwork(nn.Module):
    """No weights of its own: the word vectors are what learns."""

    def __init__(self, settings: Average) -> None:
        super().__init__()
        self.settings = settings
        self.hidden = settings.hidden

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, d] to vectors [texts, d]."""
        there = batch.ids >= 0
        starts = batch.lengths.cumsum(0) - batch.lengths
        return nn.functional.embedding_bag(batch.ids[there], table, starts, mode="mean")
