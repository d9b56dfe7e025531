"""All signals of a question and its candidates as a matrix: cheap enough for every candidate of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from askagain.encoders.wordvectors import VectorsOf
from askagain.explanations.reading import QuestionReader, Reading
from askagain.explanations.weights import weights_of
from askagain.fusion.kernels.alignment import ALIGNMENT_SIGNALS, alignment_signals
from askagain.fusion.wordsignals import WORD_SIGNALS, Words, word_signals, words_of
from askagain.lexical.index import Scoring
from askagain.lexical.view import LexicalView
from askagain.question import Question
from askagain.rerank.matrix import Matrix

# Among so many candidates of some searches most are met again.
_REMEMBERED: Final = 20_000
_IN_LIST: Final = ("", ".behind", ".place")
_CONTEXT: Final = ("asked.weight", "given.place")


@dataclass(frozen=True)
class Read:
    """A question, read once for all signals."""

    reading: Reading
    words: Words
    spelled: tuple[str, ...]


class Signals:
    """Signals by their names, in this order; the cosines of the encoders are given.

    Each lexical score and each cosine stands there with how far it is behind the list's best, and with its
    place among the list's: candidates are judged together.
    """

    def __init__(
        self,
        view: LexicalView,
        scorings: Mapping[str, Scoring],
        encoders: Sequence[str],
        vectors_of: VectorsOf | None,
    ) -> None:
        self._view = view
        self._scorings = dict(scorings)
        self._encoders = tuple(encoders)
        self._vectors_of = vectors_of
        self._reader = QuestionReader(view.analyzer)
        self._read = lru_cache(_REMEMBERED)(self._read_anew)
        listed = [f"{name}{suffix}" for name in (*self._scorings, *self._encoders) for suffix in _IN_LIST]
        aligned = ALIGNMENT_SIGNALS if vectors_of else ()
        self.names: tuple[str, ...] = (*listed, *_CONTEXT, *WORD_SIGNALS, *aligned)

    def matrix(
        self,
        asked: Question,
        found: Sequence[Question],
        cosines: Mapping[str, Sequence[float]],
        *,
        listed: bool = False,
    ) -> Matrix:
        """[candidates, signals]; `cosines` has those of each encoder, in the candidates' order.

        Where a list was given its order says something; that of our own candidates says nothing new.
        """
        mine, theirs = self._read(asked), [self._read(question) for question in found]
        weights = self._weights(mine, theirs)
        lexical, itself = self._lexical(mine, theirs)
        columns = [*lexical, *(np.asarray(cosines[name], dtype=np.float64) for name in self._encoders)]
        groups = [
            *(_in_list(column) for column in columns),
            _context(itself, len(found), listed=listed),
            np.array([word_signals(mine.words, other.words, weights) for other in theirs]).reshape(
                len(found), len(WORD_SIGNALS)
            ),
        ]
        if self._vectors_of is not None:
            groups.append(self._aligned(mine, theirs, weights, self._vectors_of))
        return np.hstack(groups)

    def _read_anew(self, question: Question) -> Read:
        reading = self._reader.read(question)
        words = words_of(reading, question.tags)
        return Read(reading, words, reading.title.words)

    def _weights(self, mine: Read, theirs: Sequence[Read]) -> dict[str, float]:
        stems = set(mine.words.every).union(*(other.words.every for other in theirs))
        return weights_of(stems, self._view)

    def _lexical(self, mine: Read, theirs: Sequence[Read]) -> tuple[list[Matrix], float]:
        """Scores as shares of the question's score for itself, and the first of the latter."""
        texts = [self._fields(read) for read in (mine, *theirs)]
        terms = (*mine.words.title, *mine.words.body)
        with self._view.lock:
            self._view.catch_up()
            scores = [self._view.index.score(terms, each, texts) for each in self._scorings.values()]
        normalised = [some[1:] / some[0] if some[0] > 0 else np.zeros(len(theirs)) for some in scores]
        return normalised, float(np.log1p(scores[0][0])) if scores else 0.0

    def _fields(self, read: Read) -> list[tuple[str, ...]]:
        every = {
            "title": read.words.title,
            "body": read.words.body,
            "text": (*read.words.title, *read.words.body),
        }
        return [every[field] for field in self._view.fields]

    def _aligned(
        self, mine: Read, theirs: Sequence[Read], weights: Mapping[str, float], vectors_of: VectorsOf
    ) -> Matrix:
        by_word = {
            word: weights[stem]
            for read in (mine, *theirs)
            for word, stem in zip(read.spelled, read.words.title, strict=True)
        }
        return alignment_signals(mine.spelled, [other.spelled for other in theirs], by_word, vectors_of)


def _context(weight: float, size: int, *, listed: bool) -> Matrix:
    places = 1 / np.arange(1, size + 1) if listed else np.full(size, np.nan)
    return np.stack([np.full(size, weight), places], axis=1)


def _in_list(column: Matrix) -> Matrix:
    """A column, how far each value is behind the best, and 1 / its place: [candidates, 3].

    Equal values share the first of their places: the order of candidates says nothing here.
    """
    if not len(column):
        return np.zeros((0, len(_IN_LIST)))
    places = 1 + np.searchsorted(np.sort(-column), -column)
    return np.stack([column, column.max() - column, 1 / places], axis=1)
