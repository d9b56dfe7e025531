"""The features of pairs as a matrix: measures on texts, scores of lexical systems, and the engine's rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from askagain.encoders.vectors import Floats
from askagain.question import Question, Reason
from askagain.ranker import Ranker
from askagain.rerank.features.table import Feature, features_named
from askagain.rerank.features.texts import prepare
from askagain.rerank.matrix import Matrix

RANK: Final = "rank"
"""1 / position in the list that the search engine gave."""


class FeatureExtractor:
    """Features by their names, in this order: those of `features.table`, "rank", and lexical systems.

    A lexical score is divided by the query's score for itself, so that it does not depend on its length.
    """

    def __init__(self, names: Sequence[str], lexical: Mapping[str, Ranker]) -> None:
        self.names = tuple(names)
        self._lexical = {name: lexical[name] for name in names if name in lexical}
        measured = [name for name in names if name != RANK and name not in lexical]
        self._features: dict[str, Feature] = dict(zip(measured, features_named(measured), strict=True))

    def matrix(self, query: Question, candidates: Sequence[Question]) -> Matrix:
        """[candidates, features]; the candidates stand in the search engine's order."""
        columns: dict[str, Matrix] = {RANK: 1 / np.arange(1, len(candidates) + 1)}
        for name, ranker in self._lexical.items():
            columns[name] = _normalised(ranker, query, candidates)
        asked, found = prepare(query), [prepare(candidate) for candidate in candidates]
        # One measure after the other: what it needs is at hand in the processor when it goes on.
        for name, feature in self._features.items():
            columns[name] = np.array([feature.value(asked, other) for other in found], dtype=np.float64)
        chosen = [columns[name] for name in self.names]
        return np.stack(chosen, axis=1) if chosen else np.zeros((len(candidates), 0))

    def floats(self, query: Question, candidates: Sequence[Question]) -> Floats:
        """The same in single precision, as networks have it."""
        return self.matrix(query, candidates).astype(np.float32)

    def reasons(self, shares: Matrix) -> list[Reason]:
        """Features as reasons, largest share first; the rank, which one pair does not have, is left out."""
        every = [
            Reason(*self._described(name), float(share))
            for name, share in zip(self.names, shares, strict=True)
            if name != RANK
        ]
        return sorted(every, key=lambda reason: -reason.share)

    def _described(self, name: str) -> tuple[str, str]:
        feature = self._features.get(name)
        return (feature.measure, feature.field) if feature else (name, "both")


def _normalised(ranker: Ranker, query: Question, candidates: Sequence[Question]) -> Matrix:
    best, *scores = ranker.score(query, [query, *candidates])
    return np.array(scores) / best if best > 0 else np.zeros(len(scores))
