"""What kernels need to know of the words of a text, in arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from askagain.jit import Array, compiled
from askagain.rerank.features.mt.parts_of_speech import part_of_speech
from askagain.rerank.features.mt.stems import stem
from askagain.rerank.features.wordnet import lemma, synsets

_CACHED_WORDS: Final = 200_000
_CACHED_TEXTS: Final = 4_096

_Numbers: TypeAlias = NDArray[np.int64]


class Words(NamedTuple):
    """One number per word of a text; the hash of a string, of 64 bits, stands for it."""

    words: _Numbers
    stems: _Numbers
    lemmas: _Numbers
    parts: _Numbers
    meanings: _Numbers
    """The synsets of all words, in ascending order."""
    owners: _Numbers
    """The place of the word that has the synset."""


@lru_cache(_CACHED_TEXTS)
def described(words: tuple[str, ...]) -> Words:
    """The words of a text; the latest texts are remembered."""
    entries = [_word(word) for word in words]
    numbers = np.array([entry.numbers for entry in entries], dtype=np.int64)
    meanings = np.concatenate([entry.meanings for entry in entries])
    owners = np.repeat(np.arange(len(entries)), [len(entry.meanings) for entry in entries])
    order = np.argsort(meanings, kind="stable")
    own, stems, lemmas, parts = np.ascontiguousarray(numbers.T)
    return Words(own, stems, lemmas, parts, meanings[order], owners[order])


class _Word(NamedTuple):
    numbers: tuple[int, int, int, int]
    meanings: _Numbers


@lru_cache(_CACHED_WORDS)
def _word(word: str) -> _Word:
    numbers = hash(word), hash(stem(word)), hash(lemma(word)), part_of_speech(word)
    return _Word(numbers, np.array(list(synsets(word)), dtype=np.int64))


def synonyms(first: Words, second: Words) -> NDArray[np.bool_]:
    """Whether word i of one text and word j of the other share a synset."""
    shared: NDArray[np.bool_] = np.zeros((len(first.words), len(second.words)), dtype=np.bool_)
    _join(first.meanings, first.owners, second.meanings, second.owners, shared)
    return shared


@compiled
def _join(meanings: Array, owners: Array, others: Array, other_owners: Array, shared: Array) -> None:
    """Walks through both lists at once; `there` stays where the present synset begins in the second one."""
    there = 0
    for here in range(len(meanings)):
        while there < len(others) and others[there] < meanings[here]:
            there += 1
        run = there
        while run < len(others) and others[run] == meanings[here]:
            shared[owners[here], other_owners[run]] = True
            run += 1
