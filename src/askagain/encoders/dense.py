"""Questions through a network: the average of their texts' vectors, with unit length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.inputs import WordInputs
from askagain.encoders.networks import NetworkEncoder, network_encoder
from askagain.encoders.pooling import unit_length
from askagain.encoders.reading import QuestionTexts, Reader
from askagain.encoders.settings import Network, Part
from askagain.encoders.texts import Texts, batches
from askagain.encoders.vectors import Floats, Offsets, QuestionVectors
from askagain.encoders.vocabulary import Vocabulary

# Products with the weights are made once for the distinct words of so many questions.
_QUESTIONS_AT_ONCE: Final = 4096


class DenseEncoder:
    """Weights: those of `WordInputs`, and network.NAME for each weight of the network."""

    def __init__(
        self, part: Part, network: Network, vocabulary: Vocabulary, weights: Mapping[str, NDArray[Any]]
    ) -> None:
        self.part = part
        self.network = network
        self.reader = Reader(part, vocabulary)
        self._inputs = WordInputs(part.words, vocabulary, weights)
        self._weights = {
            name.removeprefix("network."): array
            for name, array in weights.items()
            if name.startswith("network.")
        }

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.network.hidden

    @property
    def columns(self) -> int:
        """No sparse part."""
        return 0

    def encode(self, texts: QuestionTexts) -> QuestionVectors:
        """Vectors of unit length; zeros for a question without known words."""
        dense = np.concatenate([self._encode(some) for some in _chunks(texts)])
        return QuestionVectors(
            dense,
            np.zeros(0, dtype=np.int32),
            np.zeros(0, dtype=np.float32),
            np.zeros(len(texts) + 1, dtype=np.int64),
        )

    def _encode(self, texts: QuestionTexts) -> Floats:
        fields = joined(texts.fields)
        vectors = text_vectors(*self.network_for(fields, texts.strangers))
        shape = (len(texts.fields), len(texts))
        return unit_length(averaged(vectors.reshape(*shape, self.dimension), fields.lengths.reshape(shape)))

    def word_vectors(self, words: Sequence[str]) -> Floats:
        """What the network would read of single words, different ones: [words, e]."""
        numbers, known = self.reader.vocabulary.numbers, len(self.reader.vocabulary)
        strangers = tuple(word for word in words if word not in numbers)
        places = {word: known + place for place, word in enumerate(strangers)}
        rows = np.array([numbers.get(word, places.get(word, -1)) for word in words], dtype=np.int32)
        order = np.argsort(rows, kind="stable")
        vectors = np.empty((len(words), self._inputs.dimension), dtype=np.float32)
        vectors[order] = self._inputs.rows(rows[order], strangers)
        return vectors

    def network_for(self, texts: Texts, strangers: tuple[str, ...]) -> tuple[NetworkEncoder, Texts]:
        """The network over the distinct words of some texts, and the texts with these words' numbers."""
        numbers, ids = np.unique(texts.ids, return_inverse=True)
        table = self._inputs.rows(numbers, strangers)
        return network_encoder(self.network, table, self._weights), Texts(ids.astype(np.int32), texts.offsets)


def text_vectors(network: NetworkEncoder, texts: Texts) -> Floats:
    """One vector per text, as the network gives it: [texts, d]; zeros for a text without words."""
    vectors = np.zeros((len(texts), network.settings.hidden), dtype=np.float32)
    for batch in batches(texts):
        vectors[batch.rows] = network.encode(batch)
    return vectors


def averaged(vectors: Floats, lengths: Offsets) -> Floats:
    """Vectors [fields, questions, d] to their mean over the fields that have a word: [questions, d]."""
    there = np.maximum((lengths > 0).sum(axis=0), 1).astype(np.float32)
    means: Floats = vectors.sum(axis=0) / there[:, np.newaxis]
    return means


def joined(groups: tuple[Texts, ...]) -> Texts:
    """Several groups of texts as one."""
    starts = np.cumsum([0, *(len(group.ids) for group in groups)])
    ends = [group.offsets[1:] + start for group, start in zip(groups, starts, strict=False)]
    return Texts(
        np.concatenate([group.ids for group in groups]), np.concatenate([np.zeros(1, dtype=np.int64), *ends])
    )


def _chunks(texts: QuestionTexts) -> Iterator[QuestionTexts]:
    for first in range(0, max(len(texts), 1), _QUESTIONS_AT_ONCE):
        end = min(first + _QUESTIONS_AT_ONCE, len(texts))
        yield QuestionTexts(tuple(_slice(field, first, end) for field in texts.fields), texts.strangers)


def _slice(texts: Texts, first: int, end: int) -> Texts:
    offsets = texts.offsets[first : end + 1]
    return Texts(texts.ids[offsets[0] : offsets[-1]], offsets - offsets[0])
