"""The GRU's recurrence, written for speed in the way of the RCNN's: see `recurrence.py`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from askagain.jit import Array, compiled
from askagain.training.networks.steps import steps_of, sum_from

RESET, UPDATE, CANDIDATE = range(3)
"""The order of torch's weights."""


class GruRecurrence(torch.autograd.Function):
    """n = tanh(x_n + σ(r) ⊙ h_n), h = n + σ(z) ⊙ (h − n): the candidate n, and the state h.

    Of the batch's distinct words, products [words, 3, d] are the products with the weights of r, z and n,
    plus a bias. weights [3·d, d] and bias [3·d] are those for the last state; first_state [texts, d] is what
    the recurrence starts from. ids [tokens] tells the word of each row, last [texts] the last row of each
    text. Gives the states of all tokens [tokens, d], and the state [texts, d] that each text ends with.
    """

    @staticmethod
    def forward(
        context: Any,
        products: Tensor,
        weights: Tensor,
        bias: Tensor,
        first_state: Tensor,
        ids: Tensor,
        last: Tensor,
        sizes: list[int],
    ) -> tuple[Tensor, Tensor]:
        """One step after the other, each into its own rows; the states begin with the first ones."""
        texts, units = first_state.shape
        gates, candidates = products.new_empty(len(ids), 3, units), products.new_empty(len(ids), units)
        states = products.new_empty(texts + len(ids), units)
        states[:texts] = first_state
        steps = steps_of(sizes, texts)
        for size, token, before, now in steps:
            tokens, old, new = (slice(row, row + size) for row in (token, before, now))
            words, gate, candidate = ids[tokens].numpy(), gates[tokens], candidates[tokens]
            torch.addmm(bias, states[old], weights.t(), out=gate.view(size, -1))
            _add_words(words, products.numpy(), gate.numpy())
            gate[:, :CANDIDATE].sigmoid_()
            _propose(words, products.numpy(), gate.numpy(), candidate.numpy())
            candidate.sigmoid_()
            _update(states[old].numpy(), gate.numpy(), candidate.numpy(), states[new].numpy())
        context.save_for_backward(products, weights, ids, last, gates, candidates, states)
        context.steps = steps
        context.set_materialize_grads(False)
        return states[texts:], states[texts + last]

    @staticmethod
    @once_differentiable
    def backward(
        context: Any, states_grad: Tensor | None, last_grad: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """The same steps backwards; what is carried begins with the gradients at the texts' ends."""
        products, weights, ids, last, gates, candidates, states = context.saved_tensors
        texts = len(states) - len(gates)
        carried, products_grad = sum_from(last_grad, states[:texts]), torch.zeros_like(products)
        # In the row of the state that was looked at: its product with all states is `weights_grad`.
        rows_grad = products.new_empty(len(states), 3, states.shape[1])
        rows_grad[texts + last] = 0
        flat_grad = rows_grad.view(len(states), -1)
        for size, token, before, _ in reversed(context.steps):
            tokens, old = slice(token, token + size), slice(before, before + size)
            if states_grad is not None:
                carried[:size] += states_grad[tokens]
            step = (ids[tokens], gates[tokens], candidates[tokens], states[old], carried[:size],
                    rows_grad[old], products_grad)  # fmt: skip
            _step_back(*(array.numpy() for array in step))
            carried[:size].addmm_(flat_grad[old], weights)
        weights_grad, bias_grad = flat_grad.t() @ states, flat_grad.sum(0)
        return products_grad, weights_grad, bias_grad, carried, None, None, None


# Of one step each, over its rows. As in `recurrence.py`, each innermost loop writes to one array, and tanh(x)
# is 2 σ(2x) − 1.


@compiled
def _add_words(words: Array, products: Array, gates: Array) -> None:
    """What σ is to be taken of in the gates r and z; in the third's place stays h_n."""
    rows, _, units = gates.shape
    for row in range(rows):
        word = words[row]
        for gate in range(CANDIDATE):
            for unit in range(units):
                gates[row, gate, unit] += products[word, gate, unit]


@compiled
def _propose(words: Array, products: Array, gates: Array, candidates: Array) -> None:
    """Twice what n is the tanh of."""
    rows, units = candidates.shape
    for row in range(rows):
        word, gate = words[row], gates[row]
        for unit in range(units):
            let_in = gate[RESET, unit] * gate[CANDIDATE, unit]
            candidates[row, unit] = 2 * (products[word, CANDIDATE, unit] + let_in)


@compiled
def _update(before: Array, gates: Array, candidates: Array, state: Array) -> None:
    """From σ to n, and h."""
    rows, units = state.shape
    for row in range(rows):
        candidate = candidates[row]
        for unit in range(units):
            candidate[unit] = 2 * candidate[unit] - 1
        for unit in range(units):
            kept = gates[row, UPDATE, unit] * (before[row, unit] - candidate[unit])
            state[row, unit] = candidate[unit] + kept


@compiled
def _step_back(
    words: Array,
    gates: Array,
    candidates: Array,
    states: Array,
    carried: Array,
    rows_grad: Array,
    products_grad: Array,
) -> None:
    """The gradients; of that for the state before the step, what does not come through the weights."""
    rows, units = carried.shape
    for row in range(rows):
        word, gate, candidate, state, grad = (
            words[row],
            gates[row],
            candidates[row],
            states[row],
            rows_grad[row],
        )
        for unit in range(units):
            slope = 1 - candidate[unit] * candidate[unit]
            grad[CANDIDATE, unit] = carried[row, unit] * (1 - gate[UPDATE, unit]) * slope
        for unit in range(units):
            slope = gate[RESET, unit] * (1 - gate[RESET, unit])
            grad[RESET, unit] = grad[CANDIDATE, unit] * gate[CANDIDATE, unit] * slope
        for unit in range(units):
            slope = gate[UPDATE, unit] * (1 - gate[UPDATE, unit])
            grad[UPDATE, unit] = carried[row, unit] * (state[unit] - candidate[unit]) * slope
        for part in range(3):
            for unit in range(units):
                products_grad[word, part, unit] += grad[part, unit]
        for unit in range(units):
            grad[CANDIDATE, unit] *= gate[RESET, unit]
        for unit in range(units):
            carried[row, unit] *= gate[UPDATE, unit]
