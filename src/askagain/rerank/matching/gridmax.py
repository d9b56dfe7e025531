"""Matrices of any size reduced to one size: the largest value of each field of a grid.

U16 (§2.3.2) calls it a two-dimensional max-out filter whose height and width follow the texts' lengths; it is
the dynamic pooling of Socher et al. (2011). Field i of g over n rows has the rows from ⌊i·n/g⌋ to before
⌈(i+1)·n/g⌉: neighbours share a row where g does not divide n, and where n < g a row is in several fields.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from askagain.jit import Array, compiled


def grid_max(matrices: Tensor, rows: Tensor, columns: Tensor, grid: int) -> Tensor:
    """Of matrices [pairs, most rows, most columns] each one's first rows and columns: [pairs, grid, grid].

    Each matrix has at least one row and one column. Of equal values the first one gets the gradient.
    """
    pooled: Tensor = _GridMax.apply(matrices, rows, columns, grid)  # type: ignore[no-untyped-call]
    return pooled


class _GridMax(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, matrices: Tensor, rows: Tensor, columns: Tensor, grid: int) -> Tensor:
        pooled = matrices.new_empty(len(matrices), grid, grid)
        winners = torch.empty(len(matrices), grid, grid, 2, dtype=torch.int32)
        _pool(matrices.detach().numpy(), rows.numpy(), columns.numpy(), pooled.numpy(), winners.numpy())
        context.save_for_backward(winners)
        context.shape = matrices.shape
        return pooled

    @staticmethod
    @once_differentiable
    def backward(context: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """To the largest value of each field."""
        (winners,) = context.saved_tensors
        matrices_grad = grad.new_zeros(context.shape)
        _send_back(grad.contiguous().numpy(), winners.numpy(), matrices_grad.numpy())
        return matrices_grad, None, None, None


@compiled
def _pool(matrices: Array, rows: Array, columns: Array, pooled: Array, winners: Array) -> None:
    grid = pooled.shape[1]
    for pair in range(len(matrices)):
        high, wide = rows[pair], columns[pair]
        for i in range(grid):
            for j in range(grid):
                top, left = i * high // grid, j * wide // grid
                best, best_row, best_column = matrices[pair, top, left], top, left
                for row in range(top, -(-(i + 1) * high // grid)):
                    for column in range(left, -(-(j + 1) * wide // grid)):
                        if matrices[pair, row, column] > best:
                            best, best_row, best_column = matrices[pair, row, column], row, column
                pooled[pair, i, j] = best
                winners[pair, i, j, 0] = best_row
                winners[pair, i, j, 1] = best_column


@compiled
def _send_back(grad: Array, winners: Array, matrices_grad: Array) -> None:
    for pair in range(len(grad)):
        for i in range(grad.shape[1]):
            for j in range(grad.shape[2]):
                row, column = winners[pair, i, j]
                matrices_grad[pair, row, column] += grad[pair, i, j]
