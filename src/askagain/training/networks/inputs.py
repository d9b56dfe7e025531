"""What a network reads: the vectors of a batch's distinct words, and texts that refer to them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Texts, longest first: ids [texts, longest] count the distinct words; after a text's end stands -1."""

    ids: Tensor
    lengths: Tensor

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Packed:
    """The tokens of a batch, step after step: step t has a row for each of the first `sizes[t]` texts.

    text [tokens] tells which text a row belongs to, last [texts] which row is its last.
    """

    ids: Tensor
    text: Tensor
    last: Tensor
    sizes: list[int]


def pack(batch: TextBatch) -> Packed:
    """Without what fills up short texts."""
    steps = batch.ids.t()
    there = steps >= 0
    sizes = there.sum(1)
    text = torch.arange(len(batch)).expand_as(steps)[there]
    starts = sizes.cumsum(0) - sizes
    last = starts[batch.lengths - 1] + torch.arange(len(batch))
    return Packed(steps[there], text, last, sizes.tolist())
