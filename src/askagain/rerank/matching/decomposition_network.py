"""The two-channel CNN over similar and dissimilar parts of words (Q17, eq. 8; Wang et al. 2016, §3.3).

`c_{o,i} = f(w_o ∗ S⁺_{[i:i+h]} + w_o ∗ S⁻_{[i:i+h]} + b_o)`, max pooling over i, the features of both texts
joined, one fully connected unit with a sigmoid. Features of the pair, if any, are joined to them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from askagain.encoders.vectors import Floats, Ints
from askagain.jit import Array, compiled
from askagain.rerank.matching.alignment import AlignedBatch, AlignedTexts
from askagain.rerank.matching.settings import DecompositionSettings
from askagain.rerank.matching.standardised import Standardised
from askagain.rerank.matching.starting import drawn, linear


class DecompositionNetwork(nn.Module):
    """Pairs to log-odds of being duplicates: the sigmoid's argument.

    Weights: filters [channels, width, d, filters], with one channel if both share it; bias [filters]; the
    output layer. Windows lie within the text; one that is shorter than a window, or empty, has a single
    window, in which what is missing counts as zero.
    """

    def __init__(
        self, settings: DecompositionSettings, dimension: int, features: int = 0, seed: int = 0
    ) -> None:
        super().__init__()
        self.settings = settings
        generator = torch.Generator().manual_seed(seed)
        channels = 1 if settings.channels == "shared" else 2
        most = (6 / (settings.width * dimension + settings.filters)) ** 0.5
        self.filters = drawn(
            generator, channels, settings.width, dimension, settings.filters, most=most
        )  # fmt: skip
        self.bias = nn.Parameter(torch.zeros(settings.filters))
        self.output = linear(generator, 2 * settings.filters + features, 1)
        self.drop = nn.Dropout(settings.dropout)
        self.features = Standardised(features)

    def start_from_features(self, weights: Floats, bias: float) -> None:
        """The log-odds that features alone give: the words have to learn what is left."""
        with torch.no_grad():
            self.output.weight[0, 2 * self.settings.filters :] = torch.from_numpy(weights)
            self.output.bias.fill_(bias)

    def forward(self, batch: AlignedBatch) -> Tensor:
        """Log-odds [pairs]."""
        words = np.unique(np.concatenate([side.texts.ids.ravel() for side in (batch.first, batch.second)]))
        words = words[words >= 0]
        products = self._products(batch.vectors[words])
        both = [self.drop(self._composed(products, side, words)) for side in (batch.first, batch.second)]
        odds: Tensor = self.output(torch.cat([*both, self.features(batch.features)], dim=1)).squeeze(1)
        return odds

    def _products(self, vectors: Floats) -> list[Tensor]:
        """What each distinct word adds to each filter, at each place of a window: [words, width, filters].

        Both parts of a word have its direction, so this is all that the words themselves are asked for.
        """
        table = torch.from_numpy(vectors)
        return [torch.einsum("ve,wef->vwf", table, channel).contiguous() for channel in self.filters]

    def _composed(self, products: list[Tensor], side: AlignedTexts, words: Ints) -> Tensor:
        """The largest value of each filter over all windows: [texts, filters]."""
        ids = torch.from_numpy(np.searchsorted(words, side.texts.ids))
        covered = torch.from_numpy(side.covered).to(products[0].dtype)
        lengths = torch.from_numpy(side.texts.lengths)
        largest: Tensor = _LargestWindow.apply(  # type: ignore[no-untyped-call]
            products[0], products[-1], ids, covered, lengths
        )
        # Both functions grow with their argument: they may as well come after the largest is chosen.
        f = torch.tanh if self.settings.activation == "tanh" else torch.relu
        return f(largest + self.bias)


class _LargestWindow(torch.autograd.Function):
    """Over all windows of a text, the largest sum of its words' parts; the gradient goes to that window."""

    @staticmethod
    def forward(
        context: Any, similar: Tensor, dissimilar: Tensor, ids: Tensor, covered: Tensor, lengths: Tensor
    ) -> Tensor:
        largest = similar.new_empty(len(ids), similar.shape[2])
        winners = torch.zeros(largest.shape, dtype=torch.int32)
        _largest(
            similar.detach().numpy(), dissimilar.detach().numpy(), ids.numpy(), covered.numpy(),
            lengths.numpy(), largest.numpy(), winners.numpy(), np.empty_like(largest[:1].numpy()[0]),
        )  # fmt: skip
        context.save_for_backward(ids, covered, lengths, winners)
        context.shape = similar.shape
        return largest

    @staticmethod
    @once_differentiable
    def backward(context: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """To every word of a winning window."""
        ids, covered, lengths, winners = context.saved_tensors
        similar, dissimilar = grad.new_zeros(context.shape), grad.new_zeros(context.shape)
        _largest_back(
            grad.contiguous().numpy(), ids.numpy(), covered.numpy(), lengths.numpy(), winners.numpy(),
            similar.numpy(), dissimilar.numpy(),
        )  # fmt: skip
        return similar, dissimilar, None, None, None


@compiled
def _largest(
    similar: Array,
    dissimilar: Array,
    ids: Array,
    covered: Array,
    lengths: Array,
    largest: Array,
    winners: Array,
    window: Array,
) -> None:
    width, units = similar.shape[1], similar.shape[2]
    for text in range(len(ids)):
        for start in range(max(1, lengths[text] - width + 1)):
            window[:] = 0
            for place in range(min(width, lengths[text] - start)):
                word, part = ids[text, start + place], covered[text, start + place]
                for unit in range(units):
                    window[unit] += (
                        part * similar[word, place, unit] + (1 - part) * dissimilar[word, place, unit]
                    )
            for unit in range(units):
                if start == 0 or window[unit] > largest[text, unit]:
                    largest[text, unit] = window[unit]
                    winners[text, unit] = start


@compiled
def _largest_back(
    grad: Array,
    ids: Array,
    covered: Array,
    lengths: Array,
    winners: Array,
    similar: Array,
    dissimilar: Array,
) -> None:
    width, units = similar.shape[1], similar.shape[2]
    for text in range(len(ids)):
        for place in range(min(width, lengths[text])):
            for unit in range(units):
                at = winners[text, unit] + place
                word, part = ids[text, at], covered[text, at]
                similar[word, place, unit] += part * grad[text, unit]
                dissimilar[word, place, unit] += (1 - part) * grad[text, unit]
