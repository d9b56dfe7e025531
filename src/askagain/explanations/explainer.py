"""Explains the matches of any system: what two questions have in common, and what only one of them has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from askagain.encoders.wordvectors import VectorsOf
from askagain.explanations.aligning import Aligner
from askagain.explanations.comparison import Comparison, Stems
from askagain.explanations.line import line_of
from askagain.explanations.reader import question_reader
from askagain.explanations.reading import Reading
from askagain.explanations.weights import weights_of
from askagain.lexical.view import LexicalView
from askagain.question import AlignedWords, Explanation, Match, Question, Reason, WeightedWord

MOST_WORDS: Final = 12
"""So many words of a kind are in an explanation."""


class Explainer:
    """Compares questions by the stems of their words, weighed by how rare they are in an archive.

    With word vectors it also pairs words with similar meaning. May be shared by threads.
    """

    def __init__(self, view: LexicalView, vectors_of: VectorsOf | None = None) -> None:
        self._view = view
        self._aligner = Aligner(vectors_of) if vectors_of else None
        self._reader = question_reader(view.analyzer.settings)

    def explain(self, question: Question, candidate: Question, reasons: Iterable[Reason] = ()) -> Explanation:
        """What the candidate shares with the question that is asked; the reasons are the system's own."""
        asked, found = self._reader.read(question), self._reader.read(candidate)
        return self._explanation(asked, found, self._weights([asked, found]), reasons)

    def explained(self, question: Question, matches: Sequence[Match]) -> list[Match]:
        """Matches with their explanations; one whose question is not at hand stays as it is."""
        asked = self._reader.read(question)
        found = [self._reader.read(match.question) if match.question else None for match in matches]
        weights = self._weights([asked, *filter(None, found)])
        return [
            replace(match, explanation=self._explanation(asked, reading, weights, match.reasons))
            if reading
            else match
            for match, reading in zip(matches, found, strict=True)
        ]

    def _weights(self, readings: Iterable[Reading]) -> dict[str, float]:
        return weights_of({stem for reading in readings for stem in reading.telling}, self._view)

    def _explanation(
        self, asked: Reading, found: Reading, weights: Mapping[str, float], reasons: Iterable[Reason]
    ) -> Explanation:
        comparison = Comparison(asked, found, weights, self._aligner)
        return Explanation(
            line=line_of(comparison),
            shared=_weighed(comparison, comparison.shared, comparison.shared_by[0]),
            only_asked=_weighed(comparison, comparison.only_asked, asked),
            only_found=_weighed(comparison, comparison.only_found, found),
            aligned=_aligned(comparison),
            let_in=tuple(reasons),
        )


def _weighed(comparison: Comparison, stems: Stems, question: Reading) -> tuple[WeightedWord, ...]:
    return tuple(WeightedWord(question.telling[stem], comparison.weight(stem)) for stem in stems[:MOST_WORDS])


def _aligned(comparison: Comparison) -> tuple[AlignedWords, ...]:
    asked, found = comparison.asked.telling, comparison.found.telling
    return tuple(
        AlignedWords(asked[pair.asked], found[pair.found], pair.similarity, comparison.weight_of_pair(pair))
        for pair in comparison.aligned[:MOST_WORDS]
    )
