"""Pairs of different words with similar meaning, by their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from askagain.encoders.wordvectors import VectorsOf

LEAST_SIMILARITY: Final = 0.6
"""The least cosine of two words that are said to be similar."""

_MOST_WORDS: Final = 100


class Alike(NamedTuple):
    """A word of the one question, one of the other, and the cosine of their vectors."""

    first: str
    second: str
    similarity: float


class Aligner:
    """Finds similar words by their vectors.

    Words with a digit are left out: vectors hold 12.04 and 14.04 to be the same, and people do not.
    """

    def __init__(self, vectors_of: VectorsOf) -> None:
        self._vectors_of = vectors_of

    def pairs(self, words: Sequence[str], others: Sequence[str]) -> list[Alike]:
        """Each word with at most one other, the most similar pairs first."""
        words, others = _comparable(words), _comparable(others)
        if not words or not others:
            return []
        cosines = self._vectors_of(words) @ self._vectors_of(others).T
        if cosines.max() < LEAST_SIMILARITY:
            return []
        alike = [
            Alike(words[row], others[column], float(cosines[row, column]))
            for row, column in np.argwhere(cosines >= LEAST_SIMILARITY).tolist()
        ]
        return _one_to_one(sorted(alike, key=lambda pair: -pair.similarity))


def _comparable(words: Sequence[str]) -> list[str]:
    return [word for word in words if not any(map(str.isdigit, word))][:_MOST_WORDS]


def _one_to_one(pairs: Sequence[Alike]) -> list[Alike]:
    chosen: list[Alike] = []
    taken: tuple[set[str], set[str]] = set(), set()
    for pair in pairs:
        if pair.first not in taken[0] and pair.second not in taken[1]:
            chosen.append(pair)
            taken[0].add(pair.first)
            taken[1].add(pair.second)
    return chosen
