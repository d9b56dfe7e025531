"""How weights start."""

from __future__ import annotations

import torch
from torch import nn

RANGE = 0.05
"""As in the authors' code of J16: uniform in ±0.05."""


def uniform(*shape: int) -> nn.Parameter:
    """A weight drawn evenly."""
    return nn.Parameter(torch.empty(shape).uniform_(-RANGE, RANGE))
