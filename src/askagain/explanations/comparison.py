"""Two questions compared word by word: a telling word is shared, similar to one of the other, or alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Final, NamedTuple

from askagain.explanations.aligning import Aligner
from askagain.explanations.reading import Reading

_ABOUT: Final = 0.7
"""A word that weighs at least this share of what the words of a headline weigh on average is heavy."""

_LEANING_WORDS: Final = """
    about after again around before between down even no not now off out over since under until up via while
    without
"""
# They say something beside others ("back up", "not found", "after sleep") and nothing alone.
_LEANING: Final = frozenset(_LEANING_WORDS.split())

Stems = tuple[str, ...]


class Pair(NamedTuple):
    """Stems of two words with similar meaning, and the cosine of their vectors."""

    asked: str
    found: str
    similarity: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """What becomes of the words of two questions, by stem: those of headlines first, then the heaviest.

    `weights` has all telling words; function words weigh nothing.
    """

    asked: Reading
    found: Reading
    weights: Mapping[str, float]
    aligner: Aligner | None = None

    def weight(self, stem: str) -> float:
        """How much a word says about a question."""
        return self.weights.get(stem, 0.0)

    @cached_property
    def heavy(self) -> frozenset[str]:
        """The words that are worth telling, even alone."""
        return self._heavy_in(self.asked) | self._heavy_in(self.found)

    def _heavy_in(self, question: Reading) -> frozenset[str]:
        """Those that weigh about as much as the words of the headline do; beyond it, no less than these."""
        weights, headline = self.weights, question.headline_stems
        typical = fsum([weights[stem] for stem in headline]) / max(len(headline), 1)
        return frozenset(
            [
                stem
                for stem, word in question.telling.items()
                if weights[stem] >= (typical * _ABOUT if stem in headline else typical)
                and word not in _LEANING
            ]
        )

    @cached_property
    def shared_by(self) -> tuple[Reading, Reading]:
        """Both questions; in them function words are telling, if no other word is shared or similar."""
        if self.aligned or not self.found.stems.isdisjoint(self.asked.telling):
            return self.asked, self.found
        return self.asked.with_all_words_telling(), self.found.with_all_words_telling()

    @cached_property
    def shared(self) -> Stems:
        """Words of both questions."""
        asked, found = self.shared_by
        return self._sorted(stem for stem in asked.telling if stem in found.stems)

    @cached_property
    def only_asked(self) -> Stems:
        """Words of the question that is asked alone."""
        aligned = {pair.asked for pair in self.aligned}
        return tuple(stem for stem in self._lacking_in_found if stem not in aligned)

    @cached_property
    def only_found(self) -> Stems:
        """Words of the question that was found alone."""
        aligned = {pair.found for pair in self.aligned}
        return tuple(stem for stem in self._lacking_in_asked if stem not in aligned)

    @cached_property
    def aligned(self) -> tuple[Pair, ...]:
        """Heavy words of the one headline alone, with those of the other one.

        In two long bodies there is something similar for almost every word, so these are left out.
        """
        if self.aligner is None:
            return ()
        asked = self._alone_in_headline(self.asked, self._lacking_in_found)
        found = self._alone_in_headline(self.found, self._lacking_in_asked)
        alike = self.aligner.pairs(list(asked), list(found))
        pairs = [Pair(asked[pair.first], found[pair.second], pair.similarity) for pair in alike]
        return tuple(sorted(pairs, key=lambda pair: -self.weight_of_pair(pair)))

    def _alone_in_headline(self, question: Reading, alone: Stems) -> dict[str, str]:
        """For each heavy word its stem."""
        told = self.heavy & question.headline_stems
        return {question.telling[stem]: stem for stem in alone if stem in told}

    def weight_of_pair(self, pair: Pair) -> float:
        """The mean of both words."""
        return (self.weight(pair.asked) + self.weight(pair.found)) / 2

    @cached_property
    def _lacking_in_found(self) -> Stems:
        return self._sorted(stem for stem in self.asked.telling if stem not in self.found.stems)

    @cached_property
    def _lacking_in_asked(self) -> Stems:
        return self._sorted(stem for stem in self.found.telling if stem not in self.asked.stems)

    def _sorted(self, stems: Iterable[str]) -> Stems:
        asked, found, weights = self.asked.headline_stems, self.found.headline_stems, self.weights

        def place(stem: str) -> tuple[int, float]:
            return (stem not in asked) + (stem not in found), -weights.get(stem, 0.0)

        return tuple(sorted(stems, key=place))
