"""LSTM and GRU: torch's own."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from askagain.encoders.settings import Gru, Lstm
from askagain.training.networks.inputs import TextBatch, pack
from askagain.training.networks.pooling import pool
from askagain.training.networks.starting import RANGE


class RecurrentNetwork(nn.Module):
    """Weights as torch names them: weight_ih_l0 [gates·d, e], weight_hh_l0 [gates·d, d] and two biases."""

    def __init__(self, settings: Lstm | Gru, inputs: int) -> None:
        super().__init__()
        self.settings = settings
        self.hidden = settings.hidden
        kind = nn.GRU if isinstance(settings, Gru) else nn.LSTM
        self.cell: nn.LSTM | nn.GRU = kind(inputs, settings.hidden)
        for weight in self.cell.parameters():
            nn.init.uniform_(weight, -RANGE, RANGE)

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        packed = pack(batch)
        states, _ = self.run(table, batch)
        return pool(states, packed.text, packed.last, self.settings.pooling)

    def run(self, table: Tensor, batch: TextBatch, start: Any = None) -> tuple[Tensor, Any]:
        """All states, packed [tokens, d], and where each text ends, in torch's own form."""
        packed = pack(batch)
        sequence = PackedSequence(table[packed.ids], torch.tensor(packed.sizes))
        states, final = self.cell(sequence, start)
        return states.data, final
