"""What goes into a network: the vectors of a part's words, those of unknown ones included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.quantised import Quantised, dequantise
from askagain.encoders.settings import WordSettings
from askagain.encoders.subwords import NGRAMS, SubwordTable
from askagain.encoders.vectors import Floats, Ints
from askagain.encoders.vocabulary import Vocabulary


class WordInputs:
    """Weights: words [V, e], and for unknown words shared [e] or buckets [buckets, e].

    Words and buckets may have 8 bits a number.
    """

    def __init__(
        self, settings: WordSettings, vocabulary: Vocabulary, weights: Mapping[str, NDArray[Any]]
    ) -> None:
        self._known = len(vocabulary)
        self._weights = weights
        self._subwords = (
            SubwordTable(_rows(weights, "buckets"), *NGRAMS) if settings.unknown == "ngrams" else None
        )
        self._idf = vocabulary.idf if settings.idf_inputs else None
        # An unknown word counts like one that a single question has.
        self._stranger_idf = np.float32(np.log(max(vocabulary.questions, 1)))

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        words = self._weights["words"] if "words" in self._weights else self._weights["words.codes"]
        return int(words.shape[1])

    def rows(self, numbers: Ints, strangers: Sequence[str]) -> Floats:
        """The vectors of words with these ascending numbers: [words, e]."""
        first_stranger = int(np.searchsorted(numbers, self._known))
        known, unknown = numbers[:first_stranger], numbers[first_stranger:] - self._known
        rows = _rows(self._weights, "words", known)
        if self._idf is not None:
            rows *= self._idf[known, np.newaxis]
        if len(unknown) == 0:
            return rows
        others = self._unknown_rows(unknown, strangers)
        return np.concatenate([rows, others if self._idf is None else others * self._stranger_idf])

    def _unknown_rows(self, unknown: Ints, strangers: Sequence[str]) -> Floats:
        if self._subwords is not None:
            return np.stack([self._subwords.of(strangers[number]) for number in unknown.tolist()])
        return np.tile(self._weights["shared"], (len(unknown), 1))


def _rows(weights: Mapping[str, NDArray[Any]], name: str, rows: Ints | None = None) -> Floats:
    """These rows of a matrix, or all: a copy in 32 bits."""
    chosen = slice(None) if rows is None else rows
    if name in weights:
        return np.array(weights[name][chosen])
    codes, scales = weights[f"{name}.codes"], weights[f"{name}.scales"]
    return dequantise(Quantised(codes[chosen], scales[chosen]))
