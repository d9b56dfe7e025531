"""All signals of questions and their candidates as a matrix: cheap enough for every candidate of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.wordvectors import VectorsOf
from askagain.explanations.reader import question_reader
from askagain.explanations.weights import term_weights
from askagain.fusion.kernels.alignment import ALIGNMENT_SIGNALS, alignment_signals
from askagain.fusion.kernels.numbering import Stems, numbered
from askagain.fusion.kernels.places import in_lists
from askagain.fusion.lists import Lists
from askagain.fusion.wordsignals import WORD_SIGNALS, word_signals
from askagain.lexical.index import ListScores, Scoring
from askagain.lexical.view import LexicalView
from askagain.rerank.matrix import Matrix

if TYPE_CHECKING:
    from askagain.rerank.extraction import FeatureExtractor

OF_LISTS: Final = (".behind", ".place")
"""How the names of signals end that compare a candidate with the others of its list."""

_IN_LIST: Final = ("", *OF_LISTS)
_CONTEXT: Final = ("asked.weight", "given.place")


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
        features: FeatureExtractor | None = None,
    ) -> None:
        self._view = view
        self._scorings = dict(scorings)
        self._encoders = tuple(encoders)
        self._vectors_of = vectors_of
        self._features = features
        self._reader = question_reader(view.analyzer.settings)
        listed = [f"{name}{suffix}" for name in (*self._scorings, *self._encoders) for suffix in _IN_LIST]
        aligned = ALIGNMENT_SIGNALS if vectors_of else ()
        measured = features.names if features else ()
        self.names: tuple[str, ...] = (*listed, *_CONTEXT, *WORD_SIGNALS, *aligned, *measured)

    def matrix(self, lists: Lists, cosines: Mapping[str, Matrix], *, listed: bool = False) -> Matrix:
        """[found, signals]; `cosines` has those of each encoder, in the order of the questions found.

        Where a list was given its order says something; that of our own candidates says nothing new.
        """
        stems, titles = numbered(self._reader, lists.questions)
        weights, lexical = self._weights_and_scores(stems, lists)
        columns = [_shares(scores, lists) for scores in lexical] + [cosines[name] for name in self._encoders]
        groups = [
            *(in_lists(column, lists.starts) for column in columns),
            _context(lists, lexical[0].of_itself, listed=listed),
            word_signals(lists, stems, weights),
        ]
        if self._vectors_of is not None:
            groups.append(alignment_signals(titles, weights, self._vectors_of, lists.arrays))
        if self._features is not None:
            groups.append(_features_of(lists, self._features))
        return np.hstack(groups)

    def _weights_and_scores(self, stems: Stems, lists: Lists) -> tuple[NDArray[np.float64], list[ListScores]]:
        """The weight of each stem, and the scores of each scoring."""
        with self._view.lock:
            self._view.catch_up()
            index = self._view.index
            identities = index.identities(stems.texts)
            tokens = identities[stems.numbers]
            documents = index.foreign_tokens(tokens, stems.starts)
            scores = [
                index.score_lists(lists.arrays, tokens, stems.starts, scoring, documents)
                for scoring in self._scorings.values()
            ]
            return term_weights(identities, index), scores


def _shares(scores: ListScores, lists: Lists) -> Matrix:
    """Each score as a share of the question's score for itself."""
    whole = np.repeat(scores.of_itself, lists.sizes)
    return np.divide(scores.of_found, whole, out=np.zeros(len(whole)), where=whole > 0)


def _features_of(lists: Lists, extractor: FeatureExtractor) -> Matrix:
    """[found, features]"""
    matrices = [extractor.matrix(asked, found) for asked, found in lists.each()]
    return np.concatenate([np.zeros((0, len(extractor.names))), *matrices])


def _context(lists: Lists, of_itself: Matrix, *, listed: bool) -> Matrix:
    """How much each question says, and the places of those that were found for it."""
    places = np.full(len(lists.found), np.nan)
    if listed:
        places = 1 / (1 + np.arange(len(lists.found)) - np.repeat(lists.starts[:-1], lists.sizes))
    return np.stack([np.repeat(np.log1p(of_itself), lists.sizes), places], axis=1)
