"""A model in torch: its parts, their weights in the score, and the scores among the questions of a batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, normalize

from askagain.encoders.dense import joined
from askagain.encoders.reading import QuestionTexts
from askagain.encoders.settings import Average, Bow, Cnn, Network, Part, Rcnn
from askagain.encoders.texts import Rows, Texts, padded
from askagain.encoders.vectors import Floats
from askagain.errors import SettingsError
from askagain.training.networks.average import AverageNetwork
from askagain.training.networks.bow import BowNetwork
from askagain.training.networks.cnn import CnnNetwork
from askagain.training.networks.inputs import TextBatch
from askagain.training.networks.rcnn import RcnnNetwork
from askagain.training.networks.recurrent import RecurrentNetwork
from askagain.training.networks.words import Words


def make_network(
    settings: Network, inputs: int
) -> AverageNetwork | CnnNetwork | RcnnNetwork | RecurrentNetwork:
    """The network that the settings describe, over word vectors of that length."""
    if isinstance(settings, Average):
        if inputs != settings.hidden:
            raise SettingsError(
                f"an average of word vectors with {inputs} numbers has as many, not {settings.hidden}: set "
                f"parts.hidden = {inputs}"
            )
        return AverageNetwork(settings)
    if isinstance(settings, Cnn):
        return CnnNetwork(settings, inputs)
    if isinstance(settings, Rcnn):
        return RcnnNetwork(settings, inputs)
    return RecurrentNetwork(settings, inputs)


class DensePart(nn.Module):
    """Word vectors and a network over them."""

    def __init__(self, part: Part, vectors: Floats, factors: Floats) -> None:
        super().__init__()
        assert not isinstance(part.network, Bow)
        self.words = Words(vectors, factors, trained=part.words.trained)
        self.network = make_network(part.network, vectors.shape[1])

    def forward(self, texts: QuestionTexts, rows: Rows, dropouts: tuple[float, float]) -> Tensor:
        """Vectors of some questions, of unit length [questions, d]: the mean over the fields with words."""
        every = joined(tuple(field.take(rows) for field in texts.fields))
        vectors = self.texts(every, dropouts[0]).view(len(texts.fields), len(rows), -1)
        filled = torch.from_numpy((every.lengths > 0).reshape(len(texts.fields), len(rows)).sum(0))
        mean = vectors.sum(0) / filled.clamp(min=1)[:, None].to(vectors.dtype)
        return normalize(dropout(mean, dropouts[1], self.training), dim=1)

    def texts(self, texts: Texts, dropout: float) -> Tensor:
        """One vector per text [texts, d]; zeros for a text without words."""
        order, words, batch = batch_of(texts)
        pooled = torch.zeros(len(texts), self.network.hidden, dtype=self.words.vectors.dtype)
        if not len(order):
            return pooled
        return pooled.index_copy(0, torch.from_numpy(order), self.network(self.words(words, dropout), batch))


def batch_of(texts: Texts) -> tuple[Rows, Tensor, TextBatch]:
    """The texts that have words, longest first, as one batch over their distinct words."""
    lengths = texts.lengths
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    batch = padded(texts, order)
    words = np.unique(texts.ids)
    numbers = np.full(int(texts.ids.max(initial=-1)) + 2, -1, dtype=np.int64)
    numbers[words] = np.arange(len(words))
    ids = torch.from_numpy(numbers[batch.ids])
    return order, torch.from_numpy(words.astype(np.int64)), TextBatch(ids, torch.from_numpy(batch.lengths))


class TorchModel(nn.Module):
    """All parts of a model, and the weight β of each in the score."""

    def __init__(self, parts: Sequence[DensePart | BowNetwork]) -> None:
        super().__init__()
        self.parts = nn.ModuleList(parts)
        self.weights = nn.Parameter(torch.ones(len(parts)), requires_grad=len(parts) > 1)

    def scores(
        self, texts: Sequence[QuestionTexts], rows: Rows, dropouts: tuple[float, float] = (0.0, 0.0)
    ) -> Tensor:
        """Of some questions, each with each: Σ β·cos [questions, questions]."""
        total = torch.zeros((), dtype=self.weights.dtype)
        for part, weight, read in zip(self.parts, self.weights, texts, strict=True):
            vectors = part(read, rows) if isinstance(part, BowNetwork) else part(read, rows, dropouts)
            total = total + weight * (vectors @ vectors.t())
        return total
