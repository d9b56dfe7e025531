"""k-max pooling: the k largest values in the order in which they stand (Kalchbrenner et al. 2014, §3.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from askagain.jit import Array, compiled


def dynamic_k(lengths: Tensor, level: int, levels: int, k_top: int) -> Tensor:
    """How many columns remain of texts of these lengths after a level, 1 being the first.

    `k_l = max(k_top, ⌈(L−l)/L · s⌉)`, in whole numbers: no rounding.
    """
    return (((levels - level) * lengths + levels - 1) // levels).clamp(min=k_top)


def kmax(values: Tensor, lengths: Tensor, counts: Tensor) -> Tensor:
    """Of values [texts, columns, d] in each dimension the largest: [texts, most counts, d].

    Text i has `lengths[i]` columns, of which `counts[i]` remain, or all if there are fewer. Of equal values
    the first ones are taken. What fills up texts after their last column is zero.
    """
    pooled: Tensor = _KMax.apply(values, lengths, counts)  # type: ignore[no-untyped-call]
    return pooled


class _KMax(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, values: Tensor, lengths: Tensor, counts: Tensor) -> Tensor:
        kept = torch.minimum(lengths, counts)
        shape = (len(values), int(kept.max()) if len(kept) else 0, values.shape[2])
        winners = torch.full(shape, -1, dtype=torch.int32)
        pooled = values.new_zeros(shape)
        _select(values.detach().numpy(), lengths.numpy(), kept.numpy(), winners.numpy(), pooled.numpy())
        context.save_for_backward(winners)
        context.shape = values.shape
        return pooled

    @staticmethod
    @once_differentiable
    def backward(context: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """To the values that were kept."""
        (winners,) = context.saved_tensors
        values_grad = grad.new_zeros(context.shape)
        _send_back(grad.contiguous().numpy(), winners.numpy(), values_grad.numpy())
        return values_grad, None, None


@compiled
def _select(values: Array, lengths: Array, kept: Array, winners: Array, pooled: Array) -> None:
    most, units = values.shape[1], values.shape[2]
    larger = np.empty((most, units), dtype=np.int32)
    places = np.empty(units, dtype=np.int32)
    for text in range(len(values)):
        _count_larger(values[text], lengths[text], larger)
        places[:] = 0
        for column in range(lengths[text]):
            for unit in range(units):
                place = places[unit]
                if larger[column, unit] < kept[text] and place < kept[text]:
                    winners[text, place, unit] = column
                    pooled[text, place, unit] = values[text, column, unit]
                    places[unit] += 1


@compiled
def _count_larger(values: Array, length: int, larger: Array) -> None:
    """How many values go before each one. Compares all with all: no sorting is as fast for a few hundred."""
    larger[:length] = 0
    for column in range(length):
        here, larger_here = values[column], larger[column]
        for earlier in range(column):
            there, larger_there = values[earlier], larger[earlier]
            for unit in range(len(here)):
                before = np.int32(there[unit] >= here[unit])
                larger_here[unit] += before
                larger_there[unit] += np.int32(1) - before


@compiled
def _send_back(grad: Array, winners: Array, values_grad: Array) -> None:
    for text in range(len(winners)):
        for place in range(winners.shape[1]):
            for unit in range(winners.shape[2]):
                column = winners[text, place, unit]
                if column >= 0:
                    values_grad[text, column, unit] = grad[text, place, unit]
