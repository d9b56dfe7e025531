"""SCIR-QA's network as a judge (Q17, §2.2): what a candidate covers of a question, and what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from askagain.question import Question, Reason
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.judges.reading import WordReader
from askagain.rerank.matching.alignment import NOBODY, align, align_pairs
from askagain.rerank.matching.decomposition_network import DecompositionNetwork
from askagain.rerank.matching.fitting import probabilities
from askagain.rerank.matching.pairs import word_pairs

_NOTHING: Final = 0.005
"""A part of a word that is too small to be spoken of."""


class CoveredWord(NamedTuple):
    """A word of the query, the word of the candidate that is most like it, and how much of it that covers."""

    word: str
    partner: str
    covered: float


class DecompositionJudge:
    """Splits every word into what the other question covers and what it lacks, and judges both."""

    threshold: Final = 0.5

    def __init__(
        self, network: DecompositionNetwork, reader: WordReader, extractor: FeatureExtractor
    ) -> None:
        self._network = network
        self._reader = reader
        self._extractor = extractor

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """The probability that the pair is one of duplicates."""
        asked, *others = (
            self._reader.numbers(self._reader.words(question)) for question in (query, *candidates)
        )
        pairs = word_pairs((asked, other) for other in others)
        features = self._extractor.floats(query, candidates)
        inputs = align_pairs(
            pairs, self._reader.vectors.matrix, features, self._network.settings.neighbours
        )  # fmt: skip
        found: list[float] = probabilities(self._network, inputs).tolist()
        return found

    def coverage(self, query: Question, candidate: Question) -> list[CoveredWord]:
        """Each word that is looked at of the query, in text order."""
        words, others = self._reader.words(query), self._reader.words(candidate)
        matrix, numbers = self._reader.vectors.matrix, self._reader.numbers
        found = align(matrix[numbers(words)], matrix[numbers(others)], self._network.settings.neighbours)
        return [
            CoveredWord(word, "" if partner == NOBODY else others[partner], float(covered))
            for word, partner, covered in zip(words, found.partners.tolist(), found.covered, strict=True)
        ]

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """What the candidate covers, with the word that does, and what it lacks; largest part first."""
        words = {covered.word: covered for covered in self.coverage(query, candidate)}.values()
        covered = [
            Reason(f"{word.word} ~ {word.partner}", "covered", word.covered) for word in words if word.partner
        ]
        lacking = [
            Reason(word.word, "lacking", word.covered - 1) for word in words if word.covered < 1 - _NOTHING
        ]
        return sorted((*covered, *lacking), key=lambda reason: -abs(reason.share))
