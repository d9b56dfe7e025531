"""Candidates of several retrievers as one list, with everything that is known of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from askagain.fusion.kernels.fusing import GONE, by_reciprocal_rank
from askagain.fusion.lists import Lists
from askagain.fusion.lookup import Lookup
from askagain.fusion.signals import Signals
from askagain.lexical.index import Hits as LexicalHits
from askagain.lexical.ranker import LexicalRanker
from askagain.neighbours.chunk import Numbers
from askagain.neighbours.exact import Hits as VectorHits
from askagain.neighbours.ranker import VectorRanker
from askagain.question import Match, Question
from askagain.rerank.matrix import Matrix

# About so many candidates are measured at once: all that is made of their words is in memory then.
_MOST_CANDIDATES: Final = 2048

# The lexical index holds no larger numbers.
_BITS_OF_A_NUMBER: Final = 32

_Hits = tuple[LexicalHits | VectorHits, ...]
"""What BM25 has found for a question, and then what each encoder has."""


@dataclass(frozen=True, eq=False)
class Gathered:
    """Candidates, list after list, each in the order of their summed reciprocal ranks, and their signals."""

    lists: Lists
    matrix: Matrix

    @property
    def questions(self) -> list[Question]:
        """The candidates."""
        return self.lists.questions_found


class _Candidates(NamedTuple):
    """Lists in which the questions that ask come first, and the archive's numbers of what was found."""

    lists: Lists
    numbers: Numbers


class _Pairs(NamedTuple):
    """Questions that ask, each with the numbers that were found for it: every pair once, in order.

    A pair is one integer: the place of the question, and behind it the number.
    """

    keys: Numbers

    @property
    def asking(self) -> Numbers:
        return self.keys >> _BITS_OF_A_NUMBER

    @property
    def numbers(self) -> Numbers:
        return self.keys & ((1 << _BITS_OF_A_NUMBER) - 1)

    def places_of(self, asking: Numbers, numbers: Numbers) -> Numbers:
        """Where these pairs are among all."""
        return np.searchsorted(self.keys, asking << _BITS_OF_A_NUMBER | numbers)


class Gatherer:
    """Asks BM25 and all encoders, and measures what comes back."""

    def __init__(
        self, lexical: LexicalRanker, encoders: Mapping[str, VectorRanker], signals: Signals, depth: int
    ) -> None:
        self.lexical = lexical
        self.encoders = dict(encoders)
        self.signals = signals
        self._depth = depth
        self._lookup = Lookup(lexical.view.archive)

    def found(self, asked: Question, k: int = 0) -> Gathered:
        """What the archive has, without the question itself; of each retriever at least k."""
        [gathered] = self.found_together([asked], k)
        return gathered

    def found_together(self, asked: Sequence[Question], k: int = 0) -> Iterator[Gathered]:
        """The same for several questions."""
        return self.found_for_many(asked, max(self._depth, k))

    def found_for_many(self, asked: Sequence[Question], depth: int) -> Iterator[Gathered]:
        """The same for many questions, of each retriever so many; some questions after the other."""
        hits = self._hits(asked, depth)
        some = max(1, _MOST_CANDIDATES // (depth * (1 + len(self.encoders)) or 1))
        for first in range(0, len(asked), some):
            few = slice(first, first + some)
            yield self._measured(asked[few], hits[few], depth)

    def candidates(self, asked: Question, k: int = 0) -> list[Match]:
        """The same before anything is measured, with the reciprocals of their places as scores."""
        depth = max(self._depth, k)
        lists, _ = self._fused([asked], self._hits([asked], depth), depth)
        return [
            Match(each.id, 1 / place, question=each) for place, each in enumerate(lists.questions_found, 1)
        ]

    def given(self, asked: Question, candidates: Sequence[Question]) -> Gathered:
        """The same for a given list, whether the archive has the candidates or not."""
        lists = Lists.of_one(asked, candidates)
        cosines = {
            name: np.array(encoder.score(asked, candidates)) for name, encoder in self.encoders.items()
        }
        return Gathered(lists, self.signals.matrix(lists, cosines, listed=True))

    def _hits(self, asked: Sequence[Question], depth: int) -> list[_Hits]:
        """For each question; one more than asked for: itself."""
        rankers: tuple[LexicalRanker | VectorRanker, ...] = (self.lexical, *self.encoders.values())
        coming = [ranker.hits_to_come(asked, depth + 1) for ranker in rankers]
        return list(zip(*(hits() for hits in coming), strict=True))

    def _fused(self, asked: Sequence[Question], hits: Sequence[_Hits], depth: int) -> _Candidates:
        """One list for each question, without itself and without what is not there any more."""
        flat = [each for some in hits for each in some]
        different, places = np.unique(np.concatenate([each.numbers for each in flat]), return_inverse=True)
        found = self._lookup.by_numbers(different.tolist())
        there = np.fromiter((number in found for number in different.tolist()), np.bool_, len(different))
        questions = [found[number] for number in different[there].tolist()]
        place_of_id = {question.id: place for place, question in enumerate(questions)}
        fused, starts = by_reciprocal_rank(
            np.where(there, np.cumsum(there) - 1, GONE)[places],
            np.cumsum([0, *(len(each.numbers) for each in flat)]),
            1 + len(self.encoders),
            np.array([place_of_id.get(each.id, GONE) if each.id else GONE for each in asked]),
            len(questions),
            depth,
        )
        lists = Lists([*asked, *questions], np.arange(len(asked)), len(asked) + fused, starts)
        return _Candidates(lists, different[there][fused])

    def _measured(self, asked: Sequence[Question], hits: Sequence[_Hits], depth: int) -> Gathered:
        pairs = _pairs_of(hits)
        # Called for after questions were looked up: where both are asked of others, they are asked once.
        coming = {
            name: encoder.scores_to_come(asked, pairs.asking, pairs.numbers)
            for name, encoder in self.encoders.items()
        }
        lists, numbers = self._fused(asked, hits, depth)
        places = pairs.places_of(lists.list_of_each, numbers)
        cosines = {name: scores()[places] for name, scores in coming.items()}
        # What another process has removed in between has no vector any more.
        there = np.isfinite(sum(cosines.values(), np.zeros(len(numbers))))
        columns = {name: column[there] for name, column in cosines.items()}
        lists = lists.only(there)
        return Gathered(lists, self.signals.matrix(lists, columns))


def _pairs_of(hits: Sequence[_Hits]) -> _Pairs:
    keys = [place << _BITS_OF_A_NUMBER | each.numbers for place, some in enumerate(hits) for each in some]
    return _Pairs(np.unique(np.concatenate(keys)))
