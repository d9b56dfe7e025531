"""Wide one-dimensional convolution, each dimension by itself (Kalchbrenner et al. 2014, §3.1)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from askagain.jit import Array, compiled


def wide_convolution(columns: Tensor, filters: Tensor, lengths: Tensor) -> Tensor:
    """Columns [texts, n, d] under filters [width, d]: [texts, n + width − 1, d].

    Windows reach over both ends of a text, so that s columns become s + width − 1: column c is the sum over p
    of `filters[p]` times column c − p. After a text's last there are zeros.
    """
    windows: Tensor = _WideConvolution.apply(columns, filters, lengths)  # type: ignore[no-untyped-call]
    return windows


class _WideConvolution(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, columns: Tensor, filters: Tensor, lengths: Tensor) -> Tensor:
        texts, most, units = columns.shape
        windows = columns.new_zeros(texts, most + len(filters) - 1, units)
        _convolve(columns.detach().numpy(), filters.detach().numpy(), lengths.numpy(), windows.numpy())
        context.save_for_backward(columns, filters, lengths)
        return windows

    @staticmethod
    @once_differentiable
    def backward(context: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """To the columns and to the filters."""
        columns, filters, lengths = (saved.detach() for saved in context.saved_tensors)
        columns_grad, filters_grad = torch.zeros_like(columns), torch.zeros_like(filters)
        _send_back(
            grad.contiguous().numpy(), columns.numpy(), filters.numpy(), lengths.numpy(),
            columns_grad.numpy(), filters_grad.numpy(),
        )  # fmt: skip
        return columns_grad, filters_grad, None


@compiled
def _convolve(columns: Array, filters: Array, lengths: Array, windows: Array) -> None:
    for text in range(len(columns)):
        for column in range(lengths[text]):
            here = columns[text, column]
            for place in range(len(filters)):
                window, weights = windows[text, column + place], filters[place]
                for unit in range(len(here)):
                    window[unit] += here[unit] * weights[unit]


@compiled
def _send_back(
    grad: Array, columns: Array, filters: Array, lengths: Array, columns_grad: Array, filters_grad: Array
) -> None:
    for text in range(len(columns)):
        for column in range(lengths[text]):
            here, here_grad = columns[text, column], columns_grad[text, column]
            for place in range(len(filters)):
                window, weights, weights_grad = (
                    grad[text, column + place],
                    filters[place],
                    filters_grad[place],
                )
                for unit in range(len(here)):
                    here_grad[unit] += window[unit] * weights[unit]
                    weights_grad[unit] += window[unit] * here[unit]
