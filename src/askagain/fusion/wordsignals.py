"""What the words of two questions say about them: overlap, what is missing, numbers, lengths, tags."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from askagain.explanations.reading import Reading

WORD_SIGNALS: Final = (
    "title.covered",
    "title.covering",
    "title.jaccard",
    "title.pairs",
    "title.same_start",
    "covered",
    "covering",
    "missing",
    "extra",
    "numbers.missing",
    "numbers.extra",
    "body.overlap",
    "asked.length",
    "found.length",
    "asked.body_length",
    "found.body_length",
    "tags",
)
UNKNOWN: Final = math.nan

_LONGEST_BODY: Final = 150


@dataclass(frozen=True)
class Words:
    """The stems of a question, as signals look at them; `tags` in lower case."""

    title: tuple[str, ...]
    body: tuple[str, ...]
    tags: frozenset[str]

    @cached_property
    def title_set(self) -> frozenset[str]:
        """Different stems of the title."""
        return frozenset(self.title)

    @cached_property
    def body_set(self) -> frozenset[str]:
        """Different stems of the body."""
        return frozenset(self.body)

    @cached_property
    def every(self) -> frozenset[str]:
        """Different stems of both."""
        return self.title_set | self.body_set

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbours in the title."""
        return frozenset(pairwise(self.title))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Stems of the title with a digit, such as versions."""
        return frozenset(stem for stem in self.title_set if any(map(str.isdigit, stem)))


def words_of(reading: Reading, tags: Iterable[str]) -> Words:
    """The beginning of a question's body, and all of its title and tags."""
    return Words(
        reading.title.stems,
        reading.body.stems[:_LONGEST_BODY],
        frozenset(tag.casefold() for tag in tags),
    )


def word_signals(asked: Words, found: Words, weights: Mapping[str, float]) -> tuple[float, ...]:
    """The values of `WORD_SIGNALS`; not a number where a question lacks what would be compared."""
    shared = asked.title_set & found.title_set
    both = _weight(shared, weights)
    mine, theirs = _weight(asked.title_set, weights), _weight(found.title_set, weights)
    return (
        _share(both, mine),
        _share(both, theirs),
        _share(both, mine + theirs - both),
        _share(len(asked.pairs & found.pairs), min(len(asked.pairs), len(found.pairs))),
        float(asked.title[:1] == found.title[:1]),
        _share(_weight(asked.title_set & found.every, weights), mine),
        _share(_weight(found.title_set & asked.every, weights), theirs),
        _heaviest(asked.title_set - found.every, weights),
        _heaviest(found.title_set - asked.every, weights),
        float(len(asked.numbers - found.every)),
        float(len(found.numbers - asked.every)),
        _body_overlap(asked, found, weights),
        math.log1p(len(asked.title)),
        math.log1p(len(found.title)),
        math.log1p(len(asked.body)),
        math.log1p(len(found.body)),
        _share(len(asked.tags & found.tags), len(asked.tags | found.tags))
        if asked.tags and found.tags
        else UNKNOWN,
    )


def _weight(stems: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights[stem] for stem in stems)


def _heaviest(stems: Iterable[str], weights: Mapping[str, float]) -> float:
    return max((weights[stem] for stem in stems), default=0.0)


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _body_overlap(asked: Words, found: Words, weights: Mapping[str, float]) -> float:
    """What both bodies have, against the geometric mean of what each has."""
    if not (asked.body_set and found.body_set):
        return UNKNOWN
    both = _weight(asked.body_set & found.body_set, weights)
    each = _weight(asked.body_set, weights) * _weight(found.body_set, weights)
    return both / math.sqrt(each) if each > 0 else 0.0
