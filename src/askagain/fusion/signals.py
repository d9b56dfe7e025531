"""All signals of a question and its candidates as a matrix: cheap enough for every candidate of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.wordvectors import VectorsOf
from askagain.explanations.reader import question_reader
from askagain.explanations.weights import term_weights
from askagain.fusion.kernels.alignment import ALIGNMENT_SIGNALS, alignment_signals
from askagain.fusion.kernels.numbering import Stems, numbered
from askagain.fusion.wordsignals import WORD_SIGNALS, word_signals
from askagain.lexical.index import Scoring
from askagain.lexical.view import LexicalView
from askagain.question import Question
from askagain.rerank.matrix import Matrix

_IN_LIST: Final = ("", ".behind", ".place")
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
    ) -> None:
        self._view = view
        self._scorings = dict(scorings)
        self._encoders = tuple(encoders)
        self._vectors_of = vectors_of
        self._reader = question_reader(view.analyzer.settings)
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
        stems, titles = numbered(self._reader, [asked, *found])
        weights, lexical = self._weights_and_scores(stems)
        # A score counts as a share of the question's score for itself.
        shares = [some[1:] / some[0] if some[0] > 0 else np.zeros(len(found)) for some in lexical]
        columns = [*shares, *(np.asarray(cosines[name], dtype=np.float64) for name in self._encoders)]
        groups = [
            *map(_in_list, columns),
            _context(float(np.log1p(lexical[0][0])) if lexical else 0.0, len(found), listed=listed),
            word_signals(asked, found, stems, weights),
        ]
        if self._vectors_of is not None:
            groups.append(alignment_signals(titles, weights, self._vectors_of))
        return np.hstack(groups)

    def _weights_and_scores(self, stems: Stems) -> tuple[NDArray[np.float64], list[Matrix]]:
        """The weight of each stem, and the lexical scores of each scoring for all questions."""
        terms = [stems.texts[number] for number in stems.numbers[: stems.starts[2]].tolist()]
        with self._view.lock:
            self._view.catch_up()
            index = self._view.index
            identities = index.identities(stems.texts)
            documents = index.foreign_tokens(identities[stems.numbers], stems.starts)
            scores = [index.score(terms, scoring, documents) for scoring in self._scorings.values()]
            return term_weights(identities, index), scores


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
