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
        others = [question for id_, question in sorted(questions.items()) if id_ != first]
        return {
            "canonical": values.brief(canonical.question),
            "why": canonical.why,
            "members": [
                {**values.brief(question), **self._standing(question.id, first, inside)}
                for question in others
            ],
            "weakest": group.weakest,
            "size": len(questions),
        }

    def _standing(self, member: str, canonical: str, inside: set[_Pair]) -> dict[str, Any]:
        """How likely it belongs there: by its pair with the canonical question, or else its best one."""
        own = {pair: self._likely[pair] for pair in inside if member in pair and pair in self._likely}
        with_canonical = own.get(_ordered(canonical, member))
        return {
            "probability": max(own.values(), default=None) if with_canonical is None else with_canonical,
            "confirmed": any(member in pair for pair in inside & self._confirmed),
        }

    def _pairs_inside(self, members: Iterable[str]) -> Iterable[_Pair]:
        ordered = sorted(members)
        every = ((one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :])
        return (pair for pair in every if pair in self._likely or pair in self._confirmed)


def _ordered(first: str, second: str) -> _Pair:
    return (first, second) if first < second else (second, first)
