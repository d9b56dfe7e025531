"""METEOR of one pair (Banerjee and Lavie 2005; Lavie and Agarwal 2007): words aligned in three stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from askagain.errors import MissingExtraError
from askagain.jit import Array, compiled
from askagain.rerank.features.wordnet import synonyms

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

_CACHED_STEMS: Final = 200_000
_CACHED_TEXTS: Final = 4_096
_ALPHA: Final = 0.9
_BETA: Final = 3.0
_GAMMA: Final = 0.5
_NOWHERE: Final = -1

_Numbers: TypeAlias = NDArray[np.int64]


class _Text(NamedTuple):
    """The words of a text in lower case and their stems; the hash of a string, of 64 bits, stands for it."""

    words: _Numbers
    stems: _Numbers
    spelled: tuple[str, ...]
    """The stems themselves."""


def meteor(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The weighted mean of precision and recall of aligned words, less up to half for their order; 0 to 1.

    Stages, choices between equal words and parameters are those of nltk's `meteor_score`: the same word in
    lower case, then the same stem (Porter's, with nltk's extensions), then stems that are WordNet synonyms;
    each word of the hypothesis, from the last to the first, takes the last free word of the reference that
    fits. F = PR / (0.9 P + 0.1 R), times 1 − 0.5 (chunks / aligned)³, where a chunk is a longest run of words
    aligned side by side. Without an aligned word, 0. The same text has 1 − 0.5 / words³.
    """
    wanted, given = _text(tuple(reference)), _text(tuple(hypothesis))
    aligned = align(wanted.words, given.words, wanted.stems, given.stems)
    _align_synonyms(wanted.spelled, given.spelled, aligned)
    many, chunks = count(aligned)
    if not many:
        return 0.0
    precision, recall = many / len(hypothesis), many / len(reference)
    mean = precision * recall / (_ALPHA * precision + (1 - _ALPHA) * recall)
    penalty: float = _GAMMA * (chunks / many) ** _BETA
    return mean * (1 - penalty)


@lru_cache(_CACHED_TEXTS)
def _text(words: tuple[str, ...]) -> _Text:
    lowered = [word.lower() for word in words]
    stems = tuple(map(_stem, lowered))
    return _Text(_hashes(lowered), _hashes(stems), stems)


def _hashes(strings: Sequence[str]) -> _Numbers:
    return np.fromiter(map(hash, strings), dtype=np.int64, count=len(strings))


@compiled
def align(wanted: Array, given: Array, wanted_stems: Array, given_stems: Array) -> Array:
    """The place in the reference of each word of the hypothesis, by words and then by stems."""
    aligned = np.full(len(given), _NOWHERE, dtype=np.int64)
    free = np.ones(len(wanted), dtype=np.bool_)
    _align_equal(wanted, given, free, aligned)
    _align_equal(wanted_stems, given_stems, free, aligned)
    return aligned


@compiled
def _align_equal(wanted: Array, given: Array, free: Array, aligned: Array) -> None:
    for place in range(len(given) - 1, -1, -1):
        if aligned[place] != _NOWHERE:
            continue
        for other in range(len(wanted) - 1, -1, -1):
            if free[other] and wanted[other] == given[place]:
                aligned[place] = other
                free[other] = False
                break


def _align_synonyms(wanted: Sequence[str], given: Sequence[str], aligned: _Numbers) -> None:
    taken = set(aligned.tolist())
    free: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(wanted):
        if place not in taken:
            free[word].append(place)
    for place in np.flatnonzero(aligned == _NOWHERE)[::-1].tolist():
        meant = synonyms(given[place])
        if not meant.isdisjoint(free):
            best = max(meant.intersection(free), key=lambda other: free[other][-1])
            aligned[place] = free[best].pop()
            if not free[best]:
                del free[best]


@compiled
def count(aligned: Array) -> tuple[int, int]:
    """The aligned words, and their chunks.

    A word begins a chunk unless it and its neighbour before it are aligned side by side.
    """
    many = chunks = 0
    for place in range(len(aligned)):
        if aligned[place] == _NOWHERE:
            continue
        many += 1
        beside = place > 0 and aligned[place - 1] != _NOWHERE and aligned[place - 1] == aligned[place] - 1
        chunks += not beside
    return many, chunks


@lru_cache(_CACHED_STEMS)
def _stem(word: str) -> str:
    stem: str = _stemmer().stem(word)
    return stem


@cache
def _stemmer() -> PorterStemmer:
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise MissingExtraError("METEOR needs nltk: pip install 'askagain[features]'") from error
    return PorterStemmer()
