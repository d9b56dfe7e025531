"""UniMelb's network as a judge (U16, §2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from askagain.encoders.vectors import Floats
from askagain.question import Question, Reason
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.judges.reading import WordReader
from askagain.rerank.matching.fitting import probabilities
from askagain.rerank.matching.pairs import FeaturedPairs, word_pairs
from askagain.rerank.matching.unimelb_network import UnimelbNetwork


class UnimelbJudge:
    """Compares the words of both questions level by level, with features of the pair beside them."""

    threshold: Final = 0.5

    def __init__(self, network: UnimelbNetwork, reader: WordReader, extractor: FeatureExtractor) -> None:
        self._network = network
        self._reader = reader
        self._extractor = extractor

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """The probability that the pair is one of duplicates."""
        features = self._extractor.floats(query, candidates)
        asked = self._reader.words(query)
        return self._probabilities([asked] * len(candidates), candidates, features)

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """How much less likely the pair would be without each word of the query."""
        words = self._reader.words(query)
        different = list(dict.fromkeys(words))
        without = [words, *([word for word in words if word != left_out] for left_out in different)]
        features = np.repeat(self._extractor.floats(query, [candidate]), len(without), axis=0)
        whole, *rest = self._probabilities(without, [candidate] * len(without), features)
        reasons = [Reason(word, "both", whole - less) for word, less in zip(different, rest, strict=True)]
        return sorted(reasons, key=lambda reason: -reason.share)

    def _probabilities(
        self, asked: Sequence[list[str]], candidates: Sequence[Question], features: Floats
    ) -> list[float]:
        numbers = self._reader.numbers
        pairs = word_pairs(
            (numbers(words), numbers(self._reader.words(candidate)))
            for words, candidate in zip(asked, candidates, strict=True)
        )
        inputs = FeaturedPairs(pairs, self._reader.vectors.matrix, features)
        found: list[float] = probabilities(self._network, inputs).tolist()
        return found
