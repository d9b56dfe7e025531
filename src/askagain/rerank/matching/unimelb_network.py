"""The CNN of UniMelb: two texts compared after every level of convolution, judged by an MLP (U16, §2.3).

Each level is a wide one-dimensional convolution, one filter per dimension of the word vectors, as in
Kalchbrenner et al. (2014): the paper's matrices keep their d rows from level to level. Dynamic k-max pooling,
a bias and tanh follow. Filters across dimensions would have d times the weights, for a few thousand pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from askagain.encoders.vectors import Floats
from askagain.rerank.matching.comparison import closeness, cosines
from askagain.rerank.matching.gridmax import grid_max
from askagain.rerank.matching.kmax import dynamic_k, kmax
from askagain.rerank.matching.pairs import FeaturedBatch, FilledTexts
from askagain.rerank.matching.settings import UnimelbSettings
from askagain.rerank.matching.standardised import Standardised
from askagain.rerank.matching.starting import drawn, linear
from askagain.rerank.matching.wideconvolution import wide_convolution


class Columns(NamedTuple):
    """Texts as columns [texts, most columns, d], zero after a text's last, and how many columns each has."""

    values: Tensor
    lengths: Tensor


class UnimelbNetwork(nn.Module):
    """Pairs to log-odds of being duplicates: the difference of the softmax's two arguments.

    Weights: for each level filters [width, d] and bias [d]; the layers of the MLP.
    """

    def __init__(self, settings: UnimelbSettings, dimension: int, features: int, seed: int = 0) -> None:
        super().__init__()
        self.settings = settings
        generator = torch.Generator().manual_seed(seed)
        self.filters = nn.ParameterList(
            [drawn(generator, width, dimension, most=(3 / width) ** 0.5) for width in settings.widths]
        )
        self.biases = nn.ParameterList([nn.Parameter(torch.zeros(dimension)) for _ in settings.widths])
        inputs = (len(settings.widths) + 1) * 2 * settings.grid**2 + features
        self.mlp = _mlp(settings, inputs, generator)
        self.features = Standardised(features)

    def forward(self, batch: FeaturedBatch) -> Tensor:
        """Log-odds [pairs]."""
        compared = [
            grid_max(how(first.values, second.values), first.lengths, second.lengths, self.settings.grid)
            for first, second in zip(
                self._levels(batch.first, batch.vectors),
                self._levels(batch.second, batch.vectors),
                strict=True,
            )
            for how in (cosines, closeness)
        ]
        inputs = [*(matrix.flatten(1) for matrix in compared), self.features(batch.features)]
        classes = self.mlp(torch.cat(inputs, dim=1))
        odds: Tensor = classes[:, 1] - classes[:, 0]
        return odds

    def _levels(self, texts: FilledTexts, vectors: Floats) -> Iterator[Columns]:
        """The texts as word vectors, and then after each level."""
        columns = _word_columns(texts, vectors)
        words = columns.lengths
        yield columns
        for level, (filters, bias) in enumerate(zip(self.filters, self.biases, strict=True), 1):
            counts = dynamic_k(words, level, len(self.filters), self.settings.k_top)
            columns = _next_level(columns, filters, bias, counts)
            yield columns


def _mlp(settings: UnimelbSettings, inputs: int, generator: torch.Generator) -> nn.Sequential:
    layers: list[nn.Module] = [nn.Dropout(settings.dropout)]
    for _ in range(settings.layers):
        layers += [linear(generator, inputs, settings.hidden), nn.ReLU()]
        inputs = settings.hidden
    return nn.Sequential(*layers, linear(generator, inputs, 2))


def _word_columns(texts: FilledTexts, vectors: Floats) -> Columns:
    """The word vectors of texts; one without a word has one column of zeros."""
    ids = texts.ids if texts.ids.shape[1] else np.full((len(texts.ids), 1), -1, dtype=np.int32)
    values = np.zeros((*ids.shape, vectors.shape[1]), dtype=vectors.dtype)
    values[ids >= 0] = vectors[ids[ids >= 0]]
    return Columns(torch.from_numpy(values), torch.from_numpy(np.maximum(texts.lengths, 1)))


def _next_level(columns: Columns, filters: Tensor, bias: Tensor, counts: Tensor) -> Columns:
    windows = wide_convolution(columns.values, filters, columns.lengths)
    wide = columns.lengths + len(filters) - 1
    pooled, lengths = kmax(windows, wide, counts), torch.minimum(wide, counts)
    there = torch.arange(pooled.shape[1]) < lengths.unsqueeze(1)
    return Columns(torch.tanh(pooled + bias) * there.unsqueeze(2), lengths)
