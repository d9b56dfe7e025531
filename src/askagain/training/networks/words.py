"""The word vectors that a network reads."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from askagain.encoders.vectors import Floats


class Words(nn.Module):
    """Vectors [words, e] and a factor for each, such as its IDF. Fixed, or learned with the rest."""

    factors: Tensor

    def __init__(self, vectors: Floats, factors: Floats, *, trained: bool) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.from_numpy(vectors.copy()), requires_grad=trained)
        self.register_buffer("factors", torch.from_numpy(factors.copy())[:, None])

    def forward(self, words: Tensor, dropout: float) -> Tensor:
        """The inputs of distinct words [words, e]; all over a batch a word is dropped out in the same way."""
        inputs = nn.functional.embedding(words, self.vectors) * self.factors[words]
        return nn.functional.dropout(inputs, dropout, self.training)
