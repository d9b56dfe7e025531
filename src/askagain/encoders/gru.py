"""The GRU, as torch computes it."""

from __future__ import annotations

import numpy as np

from askagain.encoders.products import product
from askagain.encoders.recurrent import Weights, look_up, read_by, sigmoid
from askagain.encoders.settings import Gru
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats, Ints


class GruEncoder:
    """Weights: weight_ih_l0 [3d, e], weight_hh_l0 [3d, d] and two biases, for reset, update, candidate."""

    def __init__(self, settings: Gru, table: Floats, weights: Weights) -> None:
        self.settings = settings
        self.products = product(table, weights["cell.weight_ih_l0"].T) + weights["cell.bias_ih_l0"]
        self.state_weights = weights["cell.weight_hh_l0"].T
        self.state_bias = weights["cell.bias_hh_l0"]

    def encode(self, batch: Batch) -> Floats:
        """Texts to vectors [texts, d]."""
        cell = _GruCell(self, len(batch.ids))
        return read_by(cell, batch, self.settings.pooling, self.settings.hidden)


class _GruCell:
    """Where the texts of a batch stand: h [texts, d]."""

    def __init__(self, network: GruEncoder, texts: int) -> None:
        units = network.settings.hidden
        self._network = network
        self._state = np.zeros((texts, units), dtype=np.float32)
        self._room = np.empty((texts, 3 * units), dtype=np.float32)

    def step(self, words: Ints) -> Floats:
        """n = tanh(x_n + σ(r) ⊙ h_n), h = n + σ(z) ⊙ (h − n)."""
        state = self._state[: len(words)]
        from_state = product(state, self._network.state_weights)
        from_state += self._network.state_bias
        from_words = look_up(self._network.products, words, self._room)
        units = state.shape[1]
        gates = from_words[:, : 2 * units]
        gates += from_state[:, : 2 * units]
        reset_and_update = sigmoid(gates)
        candidate = from_words[:, 2 * units :]
        candidate += reset_and_update[:, :units] * from_state[:, 2 * units :]
        np.tanh(candidate, out=candidate)
        state -= candidate
        state *= reset_and_update[:, units:]
        state += candidate
        return state
