"""The LSTM's recurrence, written for speed in the way of the RCNN's: see `recurrence.py`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from askagain.jit import Array, compiled
from askagain.training.networks.steps import steps_of, sum_from

INPUT, FORGET, CANDIDATE, OUTPUT = range(4)
"""The order of torch's weights."""


class LstmRecurrence(torch.autograd.Function):
    """c = σ(f) ⊙ c + σ(i) ⊙ tanh(g), h = σ(o) ⊙ tanh(c): the memory c, and the state h.

    Of the batch's distinct words, products [words, 4, d] are the products with the weights of i, f, g and o,
    plus a bias. weights [4·d, d] and bias [4·d] are those for the last state; first_state and first_memory
    [texts, d] are what the recurrence starts from. ids [tokens] tells the word of each row, last [texts] the
    last row of each text. Gives the states of all tokens [tokens, d], and the state and the memory [texts, d]
    that each text ends with.
    """

    @staticmethod
    def forward(
        context: Any,
        products: Tensor,
        weights: Tensor,
        bias: Tensor,
        first_state: Tensor,
        first_memory: Tensor,
        ids: Tensor,
        last: Tensor,
        sizes: list[int],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One step after the other, each into its own rows; states and memories begin with the first ones."""
        texts, units = first_state.shape
        gates, shown = products.new_empty(len(ids), 4, units), products.new_empty(len(ids), units)
        states, memories = (products.new_empty(texts + len(ids), units) for _ in range(2))
        states[:texts], memories[:texts] = first_state, first_memory
        steps = steps_of(sizes, texts)
        for size, token, before, now in steps:
            tokens, old, new = (slice(row, row + size) for row in (token, before, now))
            gate, memory, tanh = gates[tokens], memories[new], shown[tokens]
            torch.addmm(bias, states[old], weights.t(), out=gate.view(size, -1))
            _add_words(ids[tokens].numpy(), products.numpy(), gate.numpy())
            gate.sigmoid_()
            _remember(memories[old].numpy(), gate.numpy(), memory.numpy())
            torch.mul(memory, 2, out=tanh).sigmoid_()
            _show(gate.numpy(), tanh.numpy(), states[new].numpy())
        context.save_for_backward(products, weights, ids, last, gates, memories, shown, states)
        context.steps = steps
        context.set_materialize_grads(False)
        return states[texts:], states[texts + last], memories[texts + last]

    @staticmethod
    @once_differentiable
    def backward(
        context: Any, states_grad: Tensor | None, last_grad: Tensor | None, last_memory_grad: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """The same steps backwards; what is carried begins with the gradients at the texts' ends."""
        products, weights, ids, last, gates, memories, shown, states = context.saved_tensors
        texts = len(states) - len(gates)
        carried, carried_memory = (sum_from(grad, states[:texts]) for grad in (last_grad, last_memory_grad))
        products_grad = torch.zeros_like(products)
        # In the row of the state that was looked at: its product with all states is `weights_grad`.
        rows_grad = products.new_empty(len(states), 4, states.shape[1])
        rows_grad[texts + last] = 0
        flat_grad = rows_grad.view(len(states), -1)
        for size, token, before, _ in reversed(context.steps):
            tokens, old = slice(token, token + size), slice(before, before + size)
            if states_grad is not None:
                carried[:size] += states_grad[tokens]
            step = (ids[tokens], gates[tokens], shown[tokens], memories[old], carried[:size],
                    carried_memory[:size], rows_grad[old], products_grad)  # fmt: skip
            _step_back(*(array.numpy() for array in step))
            torch.mm(flat_grad[old], weights, out=carried[:size])
        weights_grad, bias_grad = flat_grad.t() @ states, flat_grad.sum(0)
        return products_grad, weights_grad, bias_grad, carried, carried_memory, None, None, None


# Of one step each, over its rows. As in `recurrence.py`, each innermost loop writes to one array, and tanh(x)
# is 2 σ(2x) − 1.


@compiled
def _add_words(words: Array, products: Array, gates: Array) -> None:
    """What σ is to be taken of: the candidate's is doubled."""
    rows, _, units = gates.shape
    for row in range(rows):
        word = words[row]
        for gate in range(4):
            for unit in range(units):
                gates[row, gate, unit] += products[word, gate, unit]
        for unit in range(units):
            gates[row, CANDIDATE, unit] *= 2


@compiled
def _remember(before: Array, gates: Array, memory: Array) -> None:
    """From σ(2g) to tanh(g), and c."""
    rows, units = memory.shape
    for row in range(rows):
        gate = gates[row]
        for unit in range(units):
            gate[CANDIDATE, unit] = 2 * gate[CANDIDATE, unit] - 1
        for unit in range(units):
            kept = gate[FORGET, unit] * before[row, unit]
            memory[row, unit] = kept + gate[INPUT, unit] * gate[CANDIDATE, unit]


@compiled
def _show(gates: Array, tanh: Array, state: Array) -> None:
    """From σ(2c) to tanh(c), and h."""
    rows, units = state.shape
    for row in range(rows):
        for unit in range(units):
            tanh[row, unit] = 2 * tanh[row, unit] - 1
        for unit in range(units):
            state[row, unit] = gates[row, OUTPUT, unit] * tanh[row, unit]


@compiled
def _step_back(
    words: Array,
    gates: Array,
    shown: Array,
    memories: Array,
    carried: Array,
    carried_memory: Array,
    rows_grad: Array,
    products_grad: Array,
) -> None:
    """The gradients; that for the memory before the step replaces the one for the memory after it."""
    rows, units = carried.shape
    for row in range(rows):
        word, gate, tanh, memory, grad = words[row], gates[row], shown[row], memories[row], rows_grad[row]
        for unit in range(units):
            slope = gate[OUTPUT, unit] * (1 - gate[OUTPUT, unit])
            grad[OUTPUT, unit] = carried[row, unit] * tanh[unit] * slope
        for unit in range(units):
            slope = gate[OUTPUT, unit] * (1 - tanh[unit] * tanh[unit])
            carried_memory[row, unit] += carried[row, unit] * slope
        for unit in range(units):
            slope = gate[INPUT, unit] * (1 - gate[INPUT, unit])
            grad[INPUT, unit] = carried_memory[row, unit] * gate[CANDIDATE, unit] * slope
        for unit in range(units):
            slope = gate[FORGET, unit] * (1 - gate[FORGET, unit])
            grad[FORGET, unit] = carried_memory[row, unit] * memory[unit] * slope
        for unit in range(units):
            slope = 1 - gate[CANDIDATE, unit] * gate[CANDIDATE, unit]
            grad[CANDIDATE, unit] = carried_memory[row, unit] * gate[INPUT, unit] * slope
        for unit in range(units):
            carried_memory[row, unit] *= gate[FORGET, unit]
        for part in range(4):
            for unit in range(units):
                products_grad[word, part, unit] += grad[part, unit]
