"""Groups of repeated questions for the page; computed again only when something has changed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from typing import Any

from askagain.archive import Archive
from askagain.mining.canonical import canonical_of
from askagain.mining.groups import Group, groups_of
from askagain.mining.pairs import LikelyPairs
from askagain.question import Verdict
from askagain.service import values

LEAST = 0.5
"""Groups join what is more likely the same than not, unless a request asks for more or less."""

_Pair = tuple[str, str]


class Grouping:
    """The groups of an archive, for the least probability that was asked for last."""

    def __init__(self, archive: Archive, pairs: LikelyPairs | None) -> None:
        self._archive = archive
        self._pairs = pairs
        self._lock = threading.Lock()
        self._made_from: tuple[object, ...] = ()
        self._groups: list[Group] = []
        self._likely: dict[_Pair, float] = {}
        self._confirmed: set[_Pair] = set()

    def groups(self, least: float) -> list[Group]:
        """The largest first."""
        with self._lock:
            made_from = (least, self._archive.sequence, self._pairs.progress() if self._pairs else None)
            if made_from != self._made_from:
                self._make(least)
                self._made_from = made_from
            return self._groups

    def _make(self, least: float) -> None:
        likely = list(self._pairs.all_pairs(least)) if self._pairs else []
        self._likely = {_ordered(pair.first, pair.second): pair.probability for pair in likely}
        self._confirmed = {
            _ordered(mark.first, mark.second) for mark in self._archive.marks(Verdict.DUPLICATE)
        }
        rejected = [(mark.first, mark.second) for mark in self._archive.marks(Verdict.NOT_DUPLICATE)]
        self._groups = groups_of(likely, sorted(self._confirmed), rejected, least)

    def told(self, group: Group) -> dict[str, Any] | None:
        """A group with its canonical question; None if its questions were deleted in the meantime."""
        questions = self._archive.get_many(group.members)
        if len(questions) < 2:
            return None
        inside = set(self._pairs_inside(group.members))
        links = Counter(member for pair in inside for member in pair)
        canonical = canonical_of(list(questions.values()), links)
        first = canonical.question.id
        confirmed = _connected(first, inside & self._confirmed)
        others = [question for id_, question in sorted(questions.items()) if id_ != first]
        return {
            "canonical": values.brief(canonical.question),
            "why": canonical.why,
            "members": [
                {
                    **values.brief(question),
                    "probability": self._probability(question.id, first, inside),
                    "confirmed": question.id in confirmed,
                }
                for question in others
            ],
            "weakest": group.weakest,
            "size": len(questions),
        }

    def _probability(self, member: str, canonical: str, inside: set[_Pair]) -> float | None:
        """That of its pair with the canonical question, or else of its best one in the group."""
        own = {pair: self._likely[pair] for pair in inside if member in pair and pair in self._likely}
        return own.get(_ordered(canonical, member), max(own.values(), default=None))

    def _pairs_inside(self, members: Iterable[str]) -> Iterable[_Pair]:
        ordered = sorted(members)
        every = ((one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :])
        return (pair for pair in every if pair in self._likely or pair in self._confirmed)


def _connected(start: str, pairs: set[_Pair]) -> set[str]:
    """All that pairs lead to, one after the other."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        there = {other for pair in pairs if here in pair for other in pair} - reached
        reached |= there
        waiting += there
    return reached


def _ordered(first: str, second: str) -> _Pair:
    return (first, second) if first < second else (second, first)
