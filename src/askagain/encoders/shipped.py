"""The encoder that ships with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

from askagain.encoders.dense import DenseEncoder
from askagain.encoders.folder import load_model
from askagain.encoders.model import Model
from askagain.encoders.pooling import unit_length
from askagain.encoders.vectors import Floats

_REMEMBERED_WORDS: Final = 100_000


def shipped_folder(name: str) -> Path:
    """The folder of a model that comes with the package."""
    return Path(str(resources.files("askagain.shipped").joinpath(name)))


@cache
def shipped_encoder() -> Model:
    """Loaded once."""
    return load_model(shipped_folder("encoder"))


class ShippedWords:
    """Vectors of words, known or not, by the shipped encoder; those that were asked for are remembered.

    The encoder is loaded with the first words: who asks for none need not wait for it.
    """

    def __init__(self) -> None:
        self._rows: dict[str, Floats] = {}

    @cached_property
    def _encoder(self) -> DenseEncoder:
        [encoder] = shipped_encoder().parts
        assert isinstance(encoder, DenseEncoder)
        return encoder

    def units(self, words: Sequence[str]) -> Floats:
        """Of unit length: [words, d]."""
        if not words:
            return np.zeros((0, self._encoder.dimension), dtype=np.float32)
        rows, distinct = self._rows, list(dict.fromkeys(words))
        missing = [word for word in distinct if word not in rows]
        if len(rows) + len(missing) > _REMEMBERED_WORDS:
            # A new one, and not the old one emptied: another thread may be reading that.
            rows, missing = {}, distinct
            self._rows = rows
        if missing:
            rows |= zip(missing, unit_length(self._encoder.word_vectors(missing)), strict=True)
        return np.stack([rows[word] for word in words])
