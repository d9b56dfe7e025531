"""The CNN: one state per word, from the window around it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from askagain.encoders.settings import Cnn
from askagain.jit import Array, compiled
from askagain.training.networks.inputs import TextBatch
from askagain.training.networks.pooling import pool
from askagain.training.networks.starting import uniform


class CnnNetwork(nn.Module):
    """Weights: filters [width, e, d], bias [d]. Words outside a text count as zero vectors."""

    def __init__(self, settings: Cnn, inputs: int) -> None:
        super().__init__()
        self.settings = settings
        self.hidden = settings.hidden
        self.filters = uniform(settings.width, inputs, settings.hidden)
        self.bias = uniform(settings.hidden)

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        width, inputs, hidden = self.filters.shape
        filters = self.filters.transpose(0, 1).reshape(inputs, width * hidden)
        products = (table @ filters).view(-1, width, hidden)
        if self.settings.pooling == "max":
            # tanh grows with its argument: the tanh of the largest is the largest tanh (S15, eq. 3).
            largest: Tensor = LargestWindow.apply(  # type: ignore[no-untyped-call]
                products, batch.ids, batch.lengths, self.settings.before
            )
            return torch.tanh(largest + self.bias)
        return self._mean(products, batch)

    def _mean(self, products: Tensor, batch: TextBatch) -> Tensor:
        width, before = self.settings.width, self.settings.before
        there = batch.ids >= 0
        outside = len(products)
        padded = torch.cat([products, products.new_zeros(1, *products.shape[1:])])
        ids = torch.where(there, batch.ids, outside)
        ids = nn.functional.pad(ids, (before, width - 1 - before), value=outside)
        text, word = there.nonzero(as_tuple=True)
        windows = [padded[ids[text, word + place], place] for place in range(width)]
        states = torch.tanh(torch.stack(windows).sum(0) + self.bias)
        return pool(states, text, batch.lengths.cumsum(0) - 1, "mean")


class LargestWindow(torch.autograd.Function):
    """Over all windows of a text, the largest sum of its words' products: [texts, d].

    products [words, width, d]; the gradient goes to the windows that won, and to no other.
    """

    @staticmethod
    def forward(context: Any, products: Tensor, ids: Tensor, lengths: Tensor, before: int) -> Tensor:
        """The window at word t has the words t − before .. t − before + width − 1."""
        shape = (len(ids), products.shape[2])
        largest, winners = products.new_empty(shape), torch.zeros(shape, dtype=torch.int32)
        _largest(
            products.numpy(), ids.numpy(), lengths.numpy(), before, largest.numpy(), winners.numpy(),
            products.new_empty(shape[1]).numpy(),
        )  # fmt: skip
        context.save_for_backward(ids, lengths, winners)
        context.before, context.shape = before, products.shape
        return largest

    @staticmethod
    @once_differentiable
    def backward(context: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """To every word of a winning window."""
        ids, lengths, winners = context.saved_tensors
        products_grad = grad.new_zeros(context.shape)
        _largest_back(
            grad.contiguous().numpy(), ids.numpy(), lengths.numpy(), context.before, winners.numpy(),
            products_grad.numpy(),
        )  # fmt: skip
        return products_grad, None, None, None


@compiled
def _largest(
    products: Array,
    ids: Array,
    lengths: Array,
    before: int,
    largest: Array,
    winners: Array,
    window: Array,
) -> None:
    width, units = products.shape[1], products.shape[2]
    for text in range(len(ids)):
        length = lengths[text]
        for word in range(length):
            window[:] = 0
            for place in range(width):
                at = word - before + place
                if 0 <= at < length:
                    for unit in range(units):
                        window[unit] += products[ids[text, at], place, unit]
            for unit in range(units):
                if word == 0 or window[unit] > largest[text, unit]:
                    largest[text, unit] = window[unit]
                    winners[text, unit] = word


@compiled
def _largest_back(
    grad: Array, ids: Array, lengths: Array, before: int, winners: Array, products_grad: Array
) -> None:
    width, units = products_grad.shape[1], products_grad.shape[2]
    for text in range(len(ids)):
        length = lengths[text]
        for place in range(width):
            for unit in range(units):
                at = winners[text, unit] - before + place
                if 0 <= at < length:
                    products_grad[ids[text, at], place, unit] += grad[text, unit]
