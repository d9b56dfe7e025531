"""From the states of a text's words to one vector."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import normalize

from askagain.encoders.settings import Pooling


def pool(states: Tensor, text: Tensor, last: Tensor, pooling: Pooling) -> Tensor:
    """[tokens, d] to [texts, d]: the last state, the largest values, or the mean of states of unit length."""
    if pooling == "last":
        return states[last]
    pooled = states.new_zeros(len(last), states.shape[1])
    if pooling == "max":
        index = text[:, None].expand_as(states)
        return pooled.scatter_reduce(0, index, states, "amax", include_self=False)
    counts = torch.bincount(text, minlength=len(last)).to(states.dtype)
    return pooled.index_add(0, text, normalize(states, dim=1)) / counts[:, None]
