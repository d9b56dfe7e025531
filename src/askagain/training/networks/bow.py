"""BOW with learned weights: counts times one weight per word."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from askagain.encoders.reading import QuestionTexts
from askagain.encoders.settings import Bow
from askagain.encoders.texts import Rows
from askagain.encoders.vectors import Floats


class BowNetwork(nn.Module):
    """Weights: term_weights [words]."""

    def __init__(self, settings: Bow, idf: Floats) -> None:
        super().__init__()
        start = torch.from_numpy(idf.copy()) if settings.start == "idf" else torch.ones(len(idf))
        self.term_weights = nn.Parameter(start, requires_grad=settings.trained)

    def forward(self, texts: QuestionTexts, rows: Rows) -> Tensor:
        """Vectors of unit length of some questions, over the distinct words of all: [questions, words]."""
        fields = [field.take(rows) for field in texts.fields]
        ids = np.concatenate([field.ids for field in fields])
        question = np.concatenate([np.repeat(np.arange(len(rows)), field.lengths) for field in fields])
        words, local = np.unique(ids, return_inverse=True)
        counts = torch.zeros(len(rows), len(words), dtype=self.term_weights.dtype)
        counts.index_put_(
            (torch.from_numpy(question), torch.from_numpy(local)),
            torch.ones(len(ids), dtype=counts.dtype),
            accumulate=True,
        )
        return normalize(counts * self.term_weights[torch.from_numpy(words).long()], dim=1)
