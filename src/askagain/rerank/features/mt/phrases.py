"""Phrases of WordNet in a text: lemmas of several words, found by the stems of their words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from askagain.rerank.features import wordnet
from askagain.rerank.features.mt.stems import stem, stems

LONGEST: Final = 4
"""Words in a phrase; few have more."""

_CACHED_TEXTS: Final = 4_096


class Phrase(NamedTuple):
    """Some words of a text that are a lemma, and its synsets."""

    start: int
    words: int
    meanings: frozenset[int]


@lru_cache(_CACHED_TEXTS)
def phrases(words: tuple[str, ...]) -> tuple[Phrase, ...]:
    """The phrases of a text, which may overlap; the latest texts are remembered."""
    return tuple(_found(tuple(map(stem, words))))


def _found(text: tuple[str, ...]) -> Iterator[Phrase]:
    known = _known()
    for start in range(len(text) - 1):
        if text[start : start + 2] not in known.openings:
            continue
        for size in range(2, min(LONGEST, len(text) - start) + 1):
            if meanings := known.phrases.get(text[start : start + size]):
                yield Phrase(start, size, meanings)


class _Known(NamedTuple):
    phrases: dict[tuple[str, ...], frozenset[int]]
    openings: frozenset[tuple[str, ...]]
    """The first two stems of every phrase."""


@cache
def _known() -> _Known:
    found: dict[tuple[str, ...], frozenset[int]] = {}
    for synsets in wordnet.loaded().synsets.values():
        names = [name.split("_") for name in synsets if "_" in name]
        words = sorted({word for name in names for word in name})
        stem_of = dict(zip(words, stems(words), strict=True))
        for name in names:
            key = tuple(stem_of[word] for word in name)
            if len(key) <= LONGEST:
                found[key] = found.get(key, frozenset()).union(synsets["_".join(name)])
    return _Known(found, frozenset(key[:2] for key in found))
