"""Counts of the n-grams that two texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

_CACHED_COUNTS: Final = 256

Ngrams: TypeAlias = Counter[tuple[str, ...]]


class Shared(NamedTuple):
    """The n-grams of one length: how many the hypothesis has, and those that both texts have."""

    total: int
    counts: dict[tuple[str, ...], int]
    """How often both have it: the smaller of the two counts."""
    reference: Ngrams


def shared_ngrams(reference: Sequence[str], hypothesis: Sequence[str], longest: int) -> Iterator[Shared]:
    """For each length from 1; once nothing is shared, nothing longer is, and nothing more is counted."""
    counts: dict[tuple[str, ...], int] = {(): 0}
    wanted: Ngrams = Counter()
    texts = tuple(reference), tuple(hypothesis)
    for size in range(1, longest + 1):
        if counts:
            wanted, given = _ngrams(texts[0], size), _ngrams(texts[1], size)
            counts = {ngram: min(count, wanted[ngram]) for ngram, count in given.items() if ngram in wanted}
        yield Shared(max(len(hypothesis) - size + 1, 0), counts, wanted)


@lru_cache(_CACHED_COUNTS)
def _ngrams(words: tuple[str, ...], size: int) -> Ngrams:
    """How often a text has each n-gram; the latest are remembered, because two metrics ask for them."""
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))
