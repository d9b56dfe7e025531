"""The LSTM, as torch computes it."""

from __future__ import annotations

import numpy as np

from askagain.encoders.products import product
from askagain.encoders.recurrent import Weights, look_up, read_by, sigmoid
from askagain.encoders.settings import Lstm
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats, Ints


class LstmEncoder:
    """Weights: weight_ih_l0 [4d, e], weight_hh_l0 [4d, d] and two biases, for input, forget, cell, output."""

    def __init__(self, settings: Lstm, table: Floats, weights: Weights) -> None:
        self.settings = settings
        bias = weights["cell.bias_ih_l0"] + weights["cell.bias_hh_l0"]
        self.products = product(table, weights["cell.weight_ih_l0"].T) + bias
        self.state_weights = weights["cell.weight_hh_l0"].T

    def encode(self, batch: Batch) -> Floats:
        """Texts to vectors [texts, d]."""
        cell = _LstmCell(self, len(batch.ids))
        return read_by(cell, batch, self.settings.pooling, self.settings.hidden)


class _LstmCell:
    """Where the texts of a batch stand: c and h [texts, d]."""

    def __init__(self, network: LstmEncoder, texts: int) -> None:
        units = network.settings.hidden
        self._network = network
        self._memory = np.zeros((texts, units), dtype=np.float32)
        self._state = np.zeros((texts, units), dtype=np.float32)
        self._room = np.empty((texts, 4 * units), dtype=np.float32)

    def step(self, words: Ints) -> Floats:
        """c = σ(f) ⊙ c + σ(i) ⊙ tanh(g), h = σ(o) ⊙ tanh(c)."""
        memory, state = self._memory[: len(words)], self._state[: len(words)]
        gates = product(state, self._network.state_weights)
        gates += look_up(self._network.products, words, self._room)
        units = state.shape[1]
        let_in_and_kept = sigmoid(gates[:, : 2 * units])
        memory *= let_in_and_kept[:, units:]
        candidate = gates[:, 2 * units : 3 * units]
        np.tanh(candidate, out=candidate)
        candidate *= let_in_and_kept[:, :units]
        memory += candidate
        np.tanh(memory, out=state)
        state *= sigmoid(gates[:, 3 * units :])
        return state
