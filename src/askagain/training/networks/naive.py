"""The RCNN as its equations say, step by step: all variants, and the measure for the fast recurrence."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from askagain.encoders.settings import Rcnn

Weights = Mapping[str, Tensor]


def naive_states(inputs: Tensor, weights: Weights, settings: Rcnn) -> Tensor:
    """The states [steps, texts, d] of inputs [steps, texts, e], texts of equal length (J16, §4.2).

    λ_t    = σ(W^λ x_t + U^λ h_{t−1} + b^λ), or a constant
    c^1_t  = λ_t ⊙ c^1_{t−1} + (1 − λ_t) ⊙ W_1 x_t
    c^i_t  = λ_t ⊙ c^i_{t−1} + (1 − λ_t) ⊙ (c^{i−1}_{t−1} + W_i x_t)
             or, multiplicative, with c^{i−1}_t ⊙ W_i x_t in the brackets
    h_t    = tanh(c^n_t + b), times an output gate like λ_t if there is one
    """
    first = inputs.new_zeros(inputs.shape[1], settings.hidden)
    sums, state, states = [first] * settings.width, first, []
    for step in inputs:
        sums, state = naive_step(step, sums, state, weights, settings)
        states.append(state)
    return torch.stack(states)


def naive_step(
    inputs: Tensor, sums: list[Tensor], state: Tensor, weights: Weights, settings: Rcnn
) -> tuple[list[Tensor], Tensor]:
    """One word of each text [texts, e]: the new sums and the new state."""
    kept = _gate("gate", inputs, state, weights) if settings.gate == "learned" else settings.decay
    fresh = inputs @ weights["filters"][0]
    new = [kept * sums[0] + (1 - kept) * fresh]
    for level in range(1, settings.width):
        product = inputs @ weights["filters"][level]
        fresh = sums[level - 1] + product if settings.combination == "additive" else new[level - 1] * product
        new.append(kept * sums[level] + (1 - kept) * fresh)
    state_now = torch.tanh(new[-1] + weights["bias"])
    if settings.output_gate:
        state_now = state_now * _gate("output", inputs, state, weights)
    return new, state_now


def _gate(name: str, inputs: Tensor, state: Tensor, weights: Weights) -> Tensor:
    return torch.sigmoid(
        inputs @ weights[f"{name}_input"] + state @ weights[f"{name}_state"] + weights[f"{name}_bias"]
    )
