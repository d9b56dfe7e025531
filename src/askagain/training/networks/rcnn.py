"""The RCNN: the paper's own form through the fast recurrence, its variants through the plain loop."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from askagain.encoders.settings import Rcnn
from askagain.training.networks.inputs import TextBatch, pack
from askagain.training.networks.naive import naive_step
from askagain.training.networks.pooling import pool
from askagain.training.networks.recurrence import Recurrence
from askagain.training.networks.starting import uniform


class Final(NamedTuple):
    """Where a recurrence stands after each text: sums [n, texts, d] and state [texts, d]."""

    sums: Tensor
    state: Tensor


class RcnnNetwork(nn.Module):
    """Weights: filters [n, e, d], bias [d]; per gate its input [e, d], state [d, d] and bias [d]."""

    gate_input: Tensor
    gate_state: Tensor
    gate_bias: Tensor

    def __init__(self, settings: Rcnn, inputs: int) -> None:
        super().__init__()
        self.settings = settings
        self.hidden = settings.hidden
        self.filters = uniform(settings.width, inputs, settings.hidden)
        self.bias = uniform(settings.hidden)
        gates = ["gate"] * (settings.gate == "learned") + ["output"] * settings.output_gate
        for name in gates:
            self.register_parameter(f"{name}_input", uniform(inputs, settings.hidden))
            self.register_parameter(f"{name}_state", uniform(settings.hidden, settings.hidden))
            self.register_parameter(f"{name}_bias", uniform(settings.hidden))

    def forward(self, table: Tensor, batch: TextBatch) -> Tensor:
        """Texts over the distinct words' vectors [words, e] to vectors [texts, d]."""
        states, final = self.run(table, batch)
        if self.settings.pooling == "last":
            return final.state
        packed = pack(batch)
        return pool(states, packed.text, packed.last, self.settings.pooling)

    def run(self, table: Tensor, batch: TextBatch, start: Final | None = None) -> tuple[Tensor, Final]:
        """All states, packed [tokens, d], and where each text ends."""
        texts, width = len(batch), self.settings.width
        start = start or Final(
            table.new_zeros(width, texts, self.hidden), table.new_zeros(texts, self.hidden)
        )
        if self._is_fast:
            return self._run_fast(table, batch, start)
        return self._run_loop(table, batch, start)

    @property
    def _is_fast(self) -> bool:
        settings = self.settings
        return settings.gate == "learned" and settings.combination == "additive" and not settings.output_gate

    def _run_fast(self, table: Tensor, batch: TextBatch, start: Final) -> tuple[Tensor, Final]:
        packed = pack(batch)
        width, inputs, hidden = self.filters.shape
        filters = self.filters.transpose(0, 1).reshape(inputs, width * hidden)
        products = (table @ filters).view(-1, width, hidden)
        gates = torch.addmm(self.gate_bias, table, self.gate_input)
        states, *final = Recurrence.apply(  # type: ignore[no-untyped-call]
            products, gates, self.gate_state, self.bias, *start, packed.ids, packed.last, packed.sizes
        )
        return states, Final(*final)

    def _run_loop(self, table: Tensor, batch: TextBatch, start: Final) -> tuple[Tensor, Final]:
        packed, weights = pack(batch), dict(self.named_parameters())
        sums, state, states = list(start.sums), start.state, []
        rows = 0
        for size in packed.sizes:
            words = table[packed.ids[rows : rows + size]]
            rows += size
            new, now = naive_step(words, [s[:size] for s in sums], state[:size], weights, self.settings)
            sums = [torch.cat([fresh, old[size:]]) for fresh, old in zip(new, sums, strict=True)]
            state = torch.cat([now, state[size:]])
            states.append(now)
        return torch.cat(states), Final(torch.stack(sums), state)
