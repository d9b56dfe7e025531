"""Features of pairs beside their words, as a network reads them."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from askagain.encoders.vectors import Floats


class Standardised(nn.Module):
    """Features by how far they are from their mean, in units of their spread: those of the training set."""

    means: Tensor
    spreads: Tensor

    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("means", torch.zeros(features))
        self.register_buffer("spreads", torch.ones(features))

    def measure(self, features: Floats) -> None:
        """These pairs are the training set; once, before learning."""
        if len(features):
            spreads = features.std(axis=0, dtype=np.float64)
            self.means.copy_(torch.from_numpy(features.mean(axis=0, dtype=np.float64)))
            self.spreads.copy_(torch.from_numpy(np.where(spreads > 0, spreads, 1.0)))

    def forward(self, features: Floats) -> Tensor:
        """[pairs, features]."""
        standardised: Tensor = (torch.from_numpy(features).to(self.means.dtype) - self.means) / self.spreads
        return standardised
