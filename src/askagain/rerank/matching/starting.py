"""How weights start: drawn evenly, and the same for the same seed."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils import skip_init


def drawn(generator: torch.Generator, *shape: int, most: float) -> nn.Parameter:
    """A weight drawn from ±most."""
    return nn.Parameter(torch.empty(shape).uniform_(-most, most, generator=generator))


def linear(generator: torch.Generator, inputs: int, outputs: int) -> nn.Linear:
    """A layer whose outputs vary as much as its inputs do (Glorot & Bengio 2010), with no bias at first."""
    layer: nn.Linear = skip_init(nn.Linear, inputs, outputs)  # type: ignore[no-untyped-call]
    layer.weight = drawn(generator, outputs, inputs, most=(6 / (inputs + outputs)) ** 0.5)
    nn.init.zeros_(layer.bias)
    return layer
