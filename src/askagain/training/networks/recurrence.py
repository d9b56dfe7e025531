"""The RCNN's recurrence, written for speed: forward and backward over a packed batch, step by step.

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
from askagain.training.networks.steps import Step, steps_of, sum_from


class Recurrence(torch.autograd.Function):
    """The gated, additive RCNN without output gate, as `naive.py` states it.

    Of the batch's distinct words, products [words, n, d] are the products with the n filters and gates
    [words, d] those with the gate's matrix, plus its bias. ids [tokens] tells the word of each row, last
    [texts] the last row of each text. state [d, d] is the gate's matrix for the last state; first_sums
    [n, texts, d] and first_state [texts, d] are what the recurrence starts from. Gives the states of all
    tokens [tokens, d], and the sums [n, texts, d] and the state [texts, d] that each text ends with.
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
        last: Tensor,
        sizes: list[int],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One step after the other, each into its own rows; sums and states begin with the first ones."""
        texts, units = first_state.shape
        opened, states = gates.new_empty(len(ids), units), gates.new_empty(texts + len(ids), units)
        sums = gates.new_empty(len(first_sums), *states.shape)
        states[:texts], sums[:, :texts] = first_state, first_sums
        arrays = (ids.numpy(), products.numpy(), bias.numpy(), opened.numpy(), sums.numpy(), states.numpy())
        steps = steps_of(sizes, texts)
        for step in steps:
            size, token, before, now = step
            gate, state_now = opened[token : token + size], states[now : now + size]
            torch.index_select(gates, 0, ids[token : token + size], out=gate)
            gate.addmm_(states[before : before + size], state).sigmoid_()
            _sum_step(step, *arrays)
            # tanh(x) = 2 σ(2x) − 1, in less than half the time of torch's tanh.
            state_now.sigmoid_().mul_(2).sub_(1)
        context.save_for_backward(products, state, ids, sums, states, opened)
        context.steps = steps
        context.set_materialize_grads(False)
        return states[texts:], sums[:, texts + last], states[texts + last]

    @staticmethod
    @once_differentiable
    def backward(
        context: Any, states_grad: Tensor | None, last_sums_grad: Tensor | None, last_grad: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """The same steps backwards; what is carried begins with the gradients at the texts' ends."""
        products, state, ids, sums, states, opened = context.saved_tensors
        texts = slice(len(states) - len(opened))
        carried, carried_sums = sum_from(last_grad, states[texts]), sum_from(last_sums_grad, sums[:, texts])
        products_grad, bias_grad = torch.zeros_like(products), torch.zeros_like(states[0])
        gates_grad = products.new_zeros(len(products), len(bias_grad))
        # In the row of the state that the gate looked at: its product with all states is `state`'s gradient.
        rows_grad = torch.zeros_like(states)
        arrays = tuple(
            array.numpy()
            for array in (ids, products, opened, sums, states, carried, carried_sums, products_grad,
                          gates_grad, rows_grad, bias_grad, torch.empty_like(bias_grad))
        )  # fmt: skip
        transposed = state.t().contiguous()
        for step in reversed(context.steps):
            size, token, before, _ = step
            if states_grad is not None:
                carried[:size] += states_grad[token : token + size]
            _sum_step_back(step, *arrays)
            torch.mm(rows_grad[before : before + size], transposed, out=carried[:size])
        state_grad = states.t() @ rows_grad
        return products_grad, gates_grad, state_grad, bias_grad, carried_sums, carried, None, None, None


# Each innermost loop runs over units and writes to one array: with more, the compiler does not use SIMD, as
# it cannot know that no two of them overlap.


@compiled
def _sum_step(
    step: Step, words: Array, products: Array, bias: Array, opened: Array, sums: Array, states: Array
) -> None:
    """c^1..c^n of one step, and twice what the tanh is taken of."""
    size, token, before, now = step
    units, top = opened.shape[1], products.shape[1] - 1
    for row in range(size):
        word = words[token + row]
        for unit in range(units):
            fresh = products[word, 0, unit]
            kept = opened[token + row, unit] * (sums[0, before + row, unit] - fresh)
            sums[0, now + row, unit] = fresh + kept
        for level in range(1, top + 1):
            for unit in range(units):
                fresh = products[word, level, unit] + sums[level - 1, before + row, unit]
                kept = opened[token + row, unit] * (sums[level, before + row, unit] - fresh)
                sums[level, now + row, unit] = fresh + kept
        for unit in range(units):
            states[now + row, unit] = 2 * (sums[top, now + row, unit] + bias[unit])


@compiled
def _sum_step_back(
    step: Step,
    words: Array,
    products: Array,
    opened: Array,
    sums: Array,
    states: Array,
    carried: Array,
    carried_sums: Array,
    products_grad: Array,
    gates_grad: Array,
    rows_grad: Array,
    bias_grad: Array,
    let_in: Array,
) -> None:
    """The gradients of one step; those for the sums before it replace what was carried here."""
    size, token, before, now = step
    units, top = opened.shape[1], products.shape[1] - 1
    for row in range(size):
        word, gate = words[token + row], opened[token + row]
        for unit in range(units):
            carried[row, unit] *= 1 - states[now + row, unit] * states[now + row, unit]
        for unit in range(units):
            bias_grad[unit] += carried[row, unit]
        for unit in range(units):
            carried_sums[top, row, unit] += carried[row, unit]
        gate_grad = rows_grad[before + row]
        gate_grad[:] = 0
        for level in range(top + 1):
            for unit in range(units):
                fresh = products[word, level, unit]
                if level > 0:
                    fresh += sums[level - 1, before + row, unit]
                gate_grad[unit] += carried_sums[level, row, unit] * (sums[level, before + row, unit] - fresh)
            for unit in range(units):
                let_in[unit] = carried_sums[level, row, unit] * (1 - gate[unit])
            for unit in range(units):
                products_grad[word, level, unit] += let_in[unit]
            for unit in range(units):
                carried_sums[level, row, unit] -= let_in[unit]
            if level > 0:
                for unit in range(units):
                    carried_sums[level - 1, row, unit] += let_in[unit]
        for unit in range(units):
            gate_grad[unit] *= gate[unit] * (1 - gate[unit])
        for unit in range(units):
            gates_grad[word, unit] += gate_grad[unit]
