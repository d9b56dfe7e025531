"""LSTM and GRU: the weights and states of torch's own, through fast recurrences."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from askagain.encoders.settings import Gru, Lstm
from askagain.training.networks.gru_recurrence import GruRecurrence
from askagain.training.networks.inputs import TextBatch, pack
from askagain.training.networks.lstm_recurrence import LstmRecurrence
from askagain.training.networks.pooling import pool
from askagain.training.networks.starting import RANGE


class RecurrentNetwork(nn.Module):
    """Weights as torch names them: weight_ih_l0 [gates·d, e], weight_hh_l0 [gates·d, d] and two biases."""

    def __init__(self, settings: Lstm | Gru, inputs: int) -> None:
        super().__init__()
        self.settings = settings
        self.hidden = settings.hidden
        self._is_gru = isinstance(settings, Gru)
        kind = nn.GRU if self._is_gru else nn.LSTM
        self.cell: nn.LSTM | nn.GRU = kind(inputs, settings.hidden)
        for weight in self.cell.parameters():
            nn.init.uniform_(weight, -RANGE, RANGE)

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        states, (state, *_) = self._run(table, batch, self._zeros(table, batch))
        if self.settings.pooling == "last":
            return state
        packed = pack(batch)
        return pool(states, packed.text, packed.last, self.settings.pooling)

    def run(self, table: Tensor, batch: TextBatch, start: Any = None) -> tuple[Tensor, Any]:
        """All states, packed [tokens, d], and where each text ends.

        Start and end are in torch's own form: a GRU's h [1, texts, d], an LSTM's pair of h and c.
        """
        if start is None:
            first = self._zeros(table, batch)
        else:
            first = [value[0] for value in ([start] if self._is_gru else start)]
        states, final = self._run(table, batch, first)
        return states, final[0][None] if self._is_gru else tuple(value[None] for value in final)

    def _zeros(self, table: Tensor, batch: TextBatch) -> list[Tensor]:
        return [table.new_zeros(len(batch), self.hidden)] * (1 if self._is_gru else 2)

    def _run(self, table: Tensor, batch: TextBatch, first: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """Start and end as the recurrences have them: h [texts, d], and c of an LSTM."""
        packed = pack(batch)
        [[input_weights, state_weights, input_bias, state_bias]] = self.cell.all_weights
        products = torch.addmm(input_bias, table, input_weights.t()).view(len(table), -1, self.hidden)
        recurrence = GruRecurrence if self._is_gru else LstmRecurrence
        states, *final = recurrence.apply(  # type: ignore[no-untyped-call]
            products, state_weights, state_bias, *first, packed.ids, packed.last, packed.sizes
        )
        return states, final
