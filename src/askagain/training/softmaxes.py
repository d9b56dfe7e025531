"""The decoder's choice of the next word among many: in full, adaptive, or over a sample of words."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from askagain.encoders.recipe import PretrainingSettings
from askagain.training.networks.starting import uniform

# After these shares of the vocabulary, most frequent words first, adaptive softmax has fewer numbers a word.
_CUTS = (0.05, 0.25)
_FEWER = 2.0


class Softmax(nn.Module, ABC):
    """Scores words [tokens, words] by states [tokens, d]; words are numbered by falling frequency."""

    def loss(self, states: Tensor, targets: Tensor, generator: Generator) -> Tensor:
        """The mean of −log P of the targets, or an estimate of it."""
        return self.surprises(states, targets).mean()

    @abstractmethod
    def surprises(self, states: Tensor, targets: Tensor) -> Tensor:
        """−log P of each target, exactly."""


class FullSoftmax(Softmax):
    """Over all words."""

    def __init__(self, hidden: int, words: int) -> None:
        super().__init__()
        self.weight = uniform(words, hidden)
        self.bias = nn.Parameter(torch.zeros(words))

    def surprises(self, states: Tensor, targets: Tensor) -> Tensor:
        """All words are scored."""
        return cross_entropy(states @ self.weight.t() + self.bias, targets, reduction="none")


class SampledSoftmax(FullSoftmax):
    """Learns from the batch's own words and a sample of the others; measures over all words.

    The sample stands for all other words: each of its terms in the softmax's sum counts as often as there
    are others per sampled one, so that the sum is right on average.
    """

    def __init__(self, hidden: int, words: int, sampled: int) -> None:
        super().__init__(hidden, words)
        self._sampled = sampled

    def loss(self, states: Tensor, targets: Tensor, generator: Generator) -> Tensor:
        """Over the batch's words and the sample."""
        words = len(self.weight)
        own, places = torch.unique(targets, return_inverse=True)
        others = np.setdiff1d(generator.integers(words, size=self._sampled), own.numpy())
        if not len(others):
            return self.surprises(states, targets).mean()
        chosen = torch.cat([own, torch.from_numpy(others)])
        scores = states @ self.weight[chosen].t() + self.bias[chosen]
        weight = np.log((words - len(own)) / len(others))
        correction = torch.cat([torch.zeros(len(own)), torch.full((len(others),), float(weight))])
        return cross_entropy(scores + correction.to(scores.dtype), places)


class AdaptiveSoftmax(Softmax):
    """Rare words in clusters of their own, with fewer numbers each (torch's)."""

    def __init__(self, hidden: int, words: int) -> None:
        super().__init__()
        cuts = sorted({max(1, int(words * share)) for share in _CUTS})
        self._words = words
        self._inner = nn.AdaptiveLogSoftmaxWithLoss(
            hidden, words, [cut for cut in cuts if cut < words], div_value=_FEWER
        )

    def surprises(self, states: Tensor, targets: Tensor) -> Tensor:
        """Cluster by cluster; the end marker, numbered last but more frequent than any word, comes first."""
        surprises: Tensor = -self._inner(states, (targets + 1) % self._words).output
        return surprises


def make_softmax(hidden: int, words: int, settings: PretrainingSettings) -> Softmax:
    """The softmax that the settings name; too few words for another are scored in full."""
    if settings.softmax == "full" or words < 10:
        return FullSoftmax(hidden, words)
    if settings.softmax == "adaptive":
        return AdaptiveSoftmax(hidden, words)
    return SampledSoftmax(hidden, words, settings.sampled)
