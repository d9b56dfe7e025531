"""The definitions of all signals of words, one pair of questions after the other."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Words:
    """The stems of a title and of a body, in their order, and tags."""

    title: tuple[str, ...]
    body: tuple[str, ...]
    tags: frozenset[str]

    @property
    def title_set(self) -> frozenset[str]:
        return frozenset(self.title)

    @property
    def body_set(self) -> frozenset[str]:
        return frozenset(self.body)

    @property
    def every(self) -> frozenset[str]:
        return self.title_set | self.body_set

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset(pairwise(self.title))

    @property
    def numbers(self) -> frozenset[str]:
        return frozenset(stem for stem in self.title_set if any(map(str.isdigit, stem)))


def naive_signals(asked: Words, found: Words, weights: Mapping[str, float]) -> tuple[float, ...]:
    """In the order of `WORD_SIGNALS`."""

    def weight(stems: Iterable[str]) -> float:
        return math.fsum(weights[stem] for stem in stems)

    def heaviest(stems: Iterable[str]) -> float:
        return max((weights[stem] for stem in stems), default=0.0)

    both = weight(asked.title_set & found.title_set)
    mine, theirs = weight(asked.title_set), weight(found.title_set)
    bodies = weight(asked.body_set) * weight(found.body_set)
    return (
        share(both, mine),
        share(both, theirs),
        share(both, weight(asked.title_set | found.title_set)),
        share(len(asked.pairs & found.pairs), min(len(asked.pairs), len(found.pairs))),
        float(asked.title[:1] == found.title[:1]),
        share(weight(asked.title_set & found.every), mine),
        share(weight(found.title_set & asked.every), theirs),
        heaviest(asked.title_set - found.every),
        heaviest(found.title_set - asked.every),
        float(len(asked.numbers - found.every)),
        float(len(found.numbers - asked.every)),
        share(weight(asked.body_set & found.body_set), math.sqrt(bodies))
        if asked.body and found.body
        else math.nan,
        math.log1p(len(asked.title)),
        math.log1p(len(found.title)),
        math.log1p(len(asked.body)),
        math.log1p(len(found.body)),
        share(len(asked.tags & found.tags), len(asked.tags | found.tags))
        if asked.tags and found.tags
        else math.nan,
    )


def share(part: float, whole: float) -> float:
    """Of nothing there is no part."""
    return part / whole if whole > 0 else 0.0
