"""The RCNN in all its variants; `training/networks/naive.py` states the equations."""

from __future__ import annotations

import numpy as np

from askagain.encoders.products import product
from askagain.encoders.recurrent import Weights, look_up, read_by, sigmoid, word_steps
from askagain.encoders.settings import Rcnn
from askagain.encoders.texts import Batch
from askagain.encoders.vectors import Floats, Ints


class RcnnEncoder:
    """Weights: filters [n, e, d], bias [d]; per gate its input [e, d], state [d, d] and bias [d]."""

    def __init__(self, settings: Rcnn, table: Floats, weights: Weights) -> None:
        self.settings = settings
        self.products = np.stack([product(table, filters) for filters in weights["filters"]])
        self.bias = weights["bias"]
        self.gate = _Gate("gate", table, weights) if settings.gate == "learned" else None
        self.output = _Gate("output", table, weights) if settings.output_gate else None

    def encode(self, batch: Batch) -> Floats:
        """Texts to vectors [texts, d]."""
        cell = _RcnnCell(self, len(batch.ids))
        return read_by(cell, batch, self.settings.pooling, self.settings.hidden)

    def openness(self, batch: Batch) -> Floats:
        """How much of each word is let in, 1 − λ in the mean over all units: [texts, longest]."""
        cell = _RcnnCell(self, len(batch.ids))
        opened = np.zeros(batch.ids.shape, dtype=np.float32)
        for step, words in enumerate(word_steps(batch)):
            cell.step(words)
            opened[: len(words), step] = 1 - cell.kept.mean(axis=1)
        return opened


class _Gate:
    """σ(W x_t + U h_{t−1} + b)."""

    def __init__(self, name: str, table: Floats, weights: Weights) -> None:
        self._products = product(table, weights[f"{name}_input"]) + weights[f"{name}_bias"]
        self._state = weights[f"{name}_state"]

    def opened(self, words: Ints, state: Floats, room: Floats) -> Floats:
        """[n, d]."""
        opened = product(state, self._state)
        opened += look_up(self._products, words, room)
        return sigmoid(opened)


class _RcnnCell:
    """Where the texts of a batch stand: c^1 .. c^n [n, texts, d] and h [texts, d].

    After each step `kept` has the λ of its texts: [n, d], or [1, 1] where it is constant.
    """

    def __init__(self, network: RcnnEncoder, texts: int) -> None:
        settings = network.settings
        self._network = network
        self._sums = np.zeros((settings.width, texts, settings.hidden), dtype=np.float32)
        self._state = np.zeros((texts, settings.hidden), dtype=np.float32)
        self._room = np.empty_like(self._state)
        self.kept = np.full((1, 1), settings.decay, dtype=np.float32)

    def step(self, words: Ints) -> Floats:
        """h_t = tanh(c^n_t + b), times the output gate if there is one."""
        state, network = self._state[: len(words)], self._network
        if network.gate:
            self.kept = network.gate.opened(words, state, self._room)
        shown = network.output.opened(words, state, self._room) if network.output else None
        self._sum_up(words)
        np.add(self._sums[-1, : len(words)], network.bias, out=state)
        np.tanh(state, out=state)
        if shown is not None:
            state *= shown
        return state

    def _sum_up(self, words: Ints) -> None:
        """c^1_t .. c^n_t: each is made of the one below it, of the last word or, multiplied, of this one."""
        additive = self._network.settings.combination == "additive"
        combine = np.add if additive else np.multiply
        levels = range(len(self._sums))
        for level in reversed(levels) if additive else levels:
            fresh = look_up(self._network.products[level], words, self._room)
            if level > 0:
                combine(fresh, self._sums[level - 1, : len(words)], out=fresh)
            sums = self._sums[level, : len(words)]
            sums -= fresh
            sums *= self.kept
            sums += fresh
