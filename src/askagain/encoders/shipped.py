"""The encoder that ships with the package."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from askagain.encoders.dense import DenseEncoder
from askagain.encoders.folder import load_model
from askagain.encoders.model import Model
from askagain.encoders.pooling import unit_length
from askagain.encoders.vectors import Floats
from askagain.encoders.wordvectors import WordVectors

SHIPPED_WORDS: Final = "shipped"
"""Stands for the shipped encoder's vectors where a recipe names files of word vectors."""

_REMEMBERED_WORDS: Final = 100_000


def shipped_folder(name: str) -> Path:
    """The folder of a model that comes with the package."""
    return Path(str(resources.files("askagain.shipped").joinpath(name)))


@cache
def shipped_encoder() -> Model:
    """Loaded once."""
    return load_model(shipped_folder("encoder"))


def shipped_word_vectors(words: Sequence[str]) -> WordVectors:
    """What the shipped encoder reads of these words; those of which it knows no part are left out."""
    vectors = _words_encoder().word_vectors(words)
    known = np.flatnonzero((vectors != 0).any(axis=1)).tolist()
    return WordVectors(tuple(words[row] for row in known), vectors[known])


def _words_encoder() -> DenseEncoder:
    [encoder] = shipped_encoder().parts
    assert isinstance(encoder, DenseEncoder)
    return encoder


class _Remembered(NamedTuple):
    """The row of each word, and the rows; those at the end are not used yet."""

    row_of: dict[str, int]
    rows: Floats


class ShippedWords:
    """Vectors of words, known or not, by the shipped encoder; those that were asked for are remembered.

    The encoder is loaded with the first words: who asks for none need not wait for it. May be shared by
    threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._remembered = _Remembered({}, np.zeros((0, 0), dtype=np.float32))

    @cached_property
    def _encoder(self) -> DenseEncoder:
        return _words_encoder()

    def units(self, words: Sequence[str]) -> Floats:
        """Of unit length: [words, d]."""
        if not words:
            return np.zeros((0, self._encoder.dimension), dtype=np.float32)
        row_of, rows = self._remembered
        try:
            numbers = [row_of[word] for word in words]
        except KeyError:
            row_of, rows = self._with(list(dict.fromkeys(words)))
            numbers = [row_of[word] for word in words]
        return rows[numbers]

    def _with(self, words: list[str]) -> _Remembered:
        """What is remembered, these different words included."""
        with self._lock:
            row_of, rows = self._remembered
            missing = [word for word in words if word not in row_of]
            if len(row_of) + len(missing) > len(rows):
                # New ones, and not the old ones emptied: another thread may be reading those. Memory is used
                # when it is written to.
                room = max(_REMEMBERED_WORDS, len(words))
                missing, row_of, rows = words, {}, np.empty((room, self._encoder.dimension), dtype=np.float32)
                self._remembered = _Remembered(row_of, rows)
            begin, end = len(row_of), len(row_of) + len(missing)
            rows[begin:end] = unit_length(self._encoder.word_vectors(missing))
            row_of.update(zip(missing, range(begin, end), strict=True))
            return _Remembered(row_of, rows)


@cache
def shipped_words() -> ShippedWords:
    """The ones of this process: a word is encoded once."""
    return ShippedWords()
