"""Set and vector measures: which words, or runs of words, two texts share, whatever their order.

Every measure is from 0 to 1, and 1 for a text and itself. A text that has none of what is counted is like no
other: with it every measure is 0. A text of one word, for example, has no pairs of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from math import log, log1p, sqrt
from typing import Any, Final, Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)

SMOOTHING: Final = 0.01
"""What every item's count is raised by, in both texts, before they are compared as distributions."""

_CACHED_BAGS: Final = 256


def jaccard(first: Set[Item], second: Set[Item]) -> float:
    """|A ∩ B| / |A ∪ B| (Jaccard 1912)."""
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared) if shared else 0.0


def containment(first: Set[Item], second: Set[Item]) -> float:
    """|A ∩ B| / |A|: how much of the first is in the second (Broder 1997)."""
    return len(first & second) / len(first) if first else 0.0


def overlap_coefficient(first: Set[Item], second: Set[Item]) -> float:
    """|A ∩ B| / min(|A|, |B|) (Szymkiewicz 1934, Simpson 1943)."""
    shared = len(first & second)
    return shared / min(len(first), len(second)) if shared else 0.0


def dice(first: Set[Item], second: Set[Item]) -> float:
    """2·|A ∩ B| / (|A| + |B|) (Dice 1945, Sørensen 1948)."""
    shared = len(first & second)
    return 2 * shared / (len(first) + len(second)) if shared else 0.0


def binary_cosine(first: Set[Item], second: Set[Item]) -> float:
    """|A ∩ B| / √(|A|·|B|): the cosine of vectors with 1 for what a text has (Ochiai 1957)."""
    shared = len(first & second)
    return shared / sqrt(len(first) * len(second)) if shared else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Bag(Generic[Item]):
    """What a text has, and how often: `repeated` has the counts above 1, `total` is the sum of all counts."""

    members: frozenset[Item]
    repeated: Mapping[Item, int]
    total: int

    @classmethod
    def of(cls, items: Iterable[Item]) -> Bag[Item]:
        """The bag with each item as often as it comes."""
        every = list(items)
        members = frozenset(every)
        if len(members) == len(every):  # as most runs of words are: counting would take the most time
            return cls(members, {}, len(every))
        counts = Counter(every)
        return cls(members, {item: count for item, count in counts.items() if count > 1}, len(every))

    def count(self, member: Item) -> int:
        """How often the text has what it has."""
        return self.repeated.get(member, 1)


def ngrams(words: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    """Every run of `size` words."""
    return zip(*(words[start:] for start in range(size)), strict=False)


def kl_similarity(first: Bag[Item], second: Bag[Item], smoothing: float = SMOOTHING) -> float:
    """1 / (1 + D), D the divergence of the second from the first, in nats (Kullback & Leibler 1951).

    D = Σ p·log(p/q) over all that either has, where p = (count + s) / (total + s·number of things that either
    has), s the smoothing, and q the same for the second.
    """
    if not first.total or not second.total:
        return 0.0
    shared = first.members & second.members
    added = smoothing * (len(first.members) + len(second.members) - len(shared))
    total, other_total = first.total + added, second.total + added
    # With g(n) = log((n + s)/s), which is 0 for what a text lacks, total·p·log(p/q) is, but for a constant,
    # (n + s)·(g(n) − g(m)) = (n + s)·g(n) − s·g(m) − n·g(m), where the last is 0 unless both have the thing.
    gains = _gains(first, smoothing)[1] - smoothing * _gains(second, smoothing)[0]
    gains -= sum(first.count(item) * log1p(second.count(item) / smoothing) for item in shared)
    return 1.0 / (1.0 + max(0.0, gains / total + log(other_total / total)))


@lru_cache(maxsize=_CACHED_BAGS)
def _gains(bag: Bag[Any], smoothing: float) -> tuple[float, float]:
    """The sums of g(n) and of (n + s)·g(n), over all that a text has."""
    gain = log1p(1 / smoothing)
    singles = len(bag.members) - len(bag.repeated)
    plain, weighted = singles * gain, singles * (1 + smoothing) * gain
    for count in bag.repeated.values():
        gain = log1p(count / smoothing)
        plain += gain
        weighted += (count + smoothing) * gain
    return plain, weighted


@dataclass(frozen=True, slots=True, eq=False)
class Idf:
    """How much each term weighs, and how much one that is not known."""

    weights: Mapping[str, float] = field(default_factory=dict)
    unknown: float = 1.0

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> Idf:
        """1 + log((N + 1) / (n + 1)), N the number of texts, n of those that have the term.

        This is the weight that `askagain.lexical.formulas` gives to terms for TF-IDF.
        """
        having: Counter[str] = Counter()
        number = 0
        for terms in texts:
            having.update(set(terms))
            number += 1
        weights = {term: 1.0 + log((number + 1) / (count + 1)) for term, count in having.items()}
        return cls(weights, 1.0 + log(number + 1))

    def __getitem__(self, term: str) -> float:
        return self.weights.get(term, self.unknown)


def tfidf_cosine(first: Bag[str], second: Bag[str], idf: Idf) -> float:
    """The cosine of two vectors of count · idf (Salton, Wong & Yang 1975)."""
    shared = first.members & second.members
    product = sum(first.count(term) * second.count(term) * idf[term] ** 2 for term in shared)
    return min(1.0, product / (_length(first, idf) * _length(second, idf))) if product else 0.0


@lru_cache(maxsize=_CACHED_BAGS)
def _length(bag: Bag[str], idf: Idf) -> float:
    return sqrt(sum((bag.count(term) * idf[term]) ** 2 for term in bag.members))
