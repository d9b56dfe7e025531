"""The RCNN's recurrence, written for speed: forward and backward over a packed batch, step by step.

Packed: the texts of a batch stand in order of descending length; step t has one row for each text that is
longer than t, so its rows are those of the first `sizes[t]` texts, and no step works on padding.
The products with the inputs were made before, once for each distinct word of the batch; a row looks its
word's up. What is left in a step is one product with the state's matrix, and one pass over memory for the
rest.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from askagain.jit import Array, compiled


class Recurrence(torch.autograd.Function):
    """The gated, additive RCNN without output gate, as `naive.py` states it.

    Of the batch's distinct words, products [words, n, d] are the products with the n filters and gates
    [words, d] those with the gate's matrix, plus its bias. ids [tokens] tells the word of each row.
    state [d, d] is the gate's matrix for the last state; first_sums [n, texts, d] and first_state [texts, d]
    are what the recurrence starts from. Gives the states of all tokens [tokens, d] and their sums
    [n, tokens, d].
    """

    @staticmethod
    def forward(
        context: Any,
        products: Tensor,
        gates: Tensor,
        state: Tensor,
        bias: Tensor,
        first_sums: Tensor,
        first_state: Tensor,
        ids: Tensor,
        sizes: list[int],
    ) -> tuple[Tensor, Tensor]:
        """One step after the other, each into its own rows."""
        opened = gates.index_select(0, ids)
        states = torch.empty_like(opened)
        sums = opened.new_empty(products.shape[1], len(ids), products.shape[2])
        words, table, offset = ids.numpy(), products.numpy(), bias.numpy()
        before_sums, before = first_sums, first_state
        start = 0
        for size in sizes:
            rows = slice(start, start + size)
            opened[rows].addmm_(before[:size], state).sigmoid_()
            _sum_step(
                opened[rows].numpy(), words[rows], table, before_sums.numpy(), offset,
                sums[:, rows].numpy(), states[rows].numpy(),
            )  # fmt: skip
            states[rows].tanh_()
            before_sums, before = sums[:, rows], states[rows]
            start += size
        context.save_for_backward(products, state, first_sums, first_state, ids, sums, states, opened)
        context.sizes = sizes
        return states, sums

    @staticmethod
    @once_differentiable
    def backward(context: Any, states_grad: Tensor, sums_grad: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        products, state, first_sums, first_state, ids, sums, states, opened = context.saved_tensors
        products_grad = torch.zeros_like(products)
        row_gates_grad = torch.empty_like(opened)
        before_states, bias_grad = torch.empty_like(states), torch.zeros_like(states[0])
        carried_sums, carried = torch.zeros_like(first_sums), torch.zeros_like(first_state)
        words, table, table_grad = ids.numpy(), products.numpy(), products_grad.numpy()
        transposed = state.t().contiguous()
        sizes, end = context.sizes, len(ids)
        for step in range(len(sizes) - 1, -1, -1):
            size = sizes[step]
            rows = slice(end - size, end)
            end -= size
            last = slice(end - sizes[step - 1], end) if step else slice(0, size)
            before_sums, before = (sums[:, last], states[last]) if step else (first_sums, first_state)
            before_states[rows] = before[:size]
            _sum_step_back(
                opened[rows].numpy(), words[rows], table, before_sums.numpy(), states[rows].numpy(),
                states_grad[rows].numpy(), sums_grad[:, rows].numpy(), carried.numpy(), carried_sums.numpy(),
                table_grad, row_gates_grad[rows].numpy(), bias_grad.numpy(),
            )  # fmt: skip
            torch.mm(row_gates_grad[rows], transposed, out=carried[:size])
        gates_grad = products.new_zeros(len(products), opened.shape[1]).index_add_(0, ids, row_gates_grad)
        return (
            products_grad, gates_grad, before_states.t() @ row_gates_grad, bias_grad,
            carried_sums, carried, None, None,
        )  # fmt: skip


@compiled
def _sum_step(
    opened: Array, words: Array, products: Array, before_sums: Array, bias: Array, sums: Array, states: Array
) -> None:
    """c^1..c^n of one step, and what the tanh is taken of. The innermost loops run over units: SIMD."""
    units, top = opened.shape[1], products.shape[1] - 1
    for row in range(opened.shape[0]):
        word = words[row]
        for level in range(top + 1):
            for unit in range(units):
                fresh = products[word, level, unit]
                if level > 0:
                    fresh += before_sums[level - 1, row, unit]
                before = before_sums[level, row, unit]
                sums[level, row, unit] = fresh + opened[row, unit] * (before - fresh)
        for unit in range(units):
            states[row, unit] = sums[top, row, unit] + bias[unit]


@compiled
def _sum_step_back(
    opened: Array,
    words: Array,
    products: Array,
    before_sums: Array,
    states: Array,
    states_grad: Array,
    sums_grad: Array,
    carried: Array,
    carried_sums: Array,
    products_grad: Array,
    gates_grad: Array,
    bias_grad: Array,
) -> None:
    """The gradients of one step; those for the step before it replace what was carried here."""
    units, top = opened.shape[1], products.shape[1] - 1
    for row in range(opened.shape[0]):
        word = words[row]
        for unit in range(units):
            state = states[row, unit]
            through_tanh = (states_grad[row, unit] + carried[row, unit]) * (1 - state * state)
            bias_grad[unit] += through_tanh
            carried_sums[top, row, unit] += through_tanh
            gates_grad[row, unit] = 0
        for level in range(top + 1):
            for unit in range(units):
                kept = opened[row, unit]
                fresh = products[word, level, unit]
                if level > 0:
                    fresh += before_sums[level - 1, row, unit]
                grad = carried_sums[level, row, unit] + sums_grad[level, row, unit]
                gates_grad[row, unit] += grad * (before_sums[level, row, unit] - fresh)
                products_grad[word, level, unit] += grad * (1 - kept)
                carried_sums[level, row, unit] = grad * kept
                if level > 0:
                    carried_sums[level - 1, row, unit] += grad * (1 - kept)
        for unit in range(units):
            gates_grad[row, unit] *= opened[row, unit] * (1 - opened[row, unit])
