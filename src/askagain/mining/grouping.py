"""The groups of an archive with their canonical questions; made again only when something has changed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from askagain.archive import Archive
from askagain.mining.canonical import Canonical, canonical_of
from askagain.mining.groups import Group, IdPair, groups_of, ordered
from askagain.mining.pairs import LikelyPairs
from askagain.question import Question, Verdict

LEAST = 0.5
"""Groups join what is more likely the same than not, unless somebody wishes for more or less."""


@dataclass(frozen=True, slots=True)
class Member:
    """A question of a group besides the canonical one.

    Its probability is that of its pair with the canonical question, or else of its best pair in the group;
    `confirmed` says whether people's word alone leads from the one to the other.
    """

    question: Question
    probability: float | None
    confirmed: bool


@dataclass(frozen=True, slots=True)
class WholeGroup:
    """A group with its questions; `weakest_pair` is what it hangs by, if not by people's word."""

    canonical: Canonical
    members: tuple[Member, ...]
    weakest: float | None
    weakest_pair: IdPair | None

    @property
    def size(self) -> int:
        """How many questions there are, the canonical one included."""
        return 1 + len(self.members)


class Grouping:
    """The groups of an archive, for the least probability that was asked for last.

    May be shared by threads.
    """

    def __init__(self, archive: Archive, pairs: LikelyPairs | None) -> None:
        self._archive = archive
        self._pairs = pairs
        self._lock = threading.Lock()
        self._made_from: tuple[object, ...] = ()
        self._groups: list[Group] = []
        self._likely: dict[IdPair, float] = {}
        self._confirmed: set[IdPair] = set()

    def groups(self, least: float = LEAST) -> list[Group]:
        """The largest first."""
        with self._lock:
            made_from = (least, self._archive.sequence, self._pairs.progress() if self._pairs else None)
            if made_from != self._made_from:
                self._make(least)
                self._made_from = made_from
            return self._groups

    def _make(self, least: float) -> None:
        likely = list(self._pairs.all_pairs(least)) if self._pairs else []
        self._likely = {ordered(pair.first, pair.second): pair.probability for pair in likely}
        self._confirmed = {
            ordered(mark.first, mark.second) for mark in self._archive.marks(Verdict.DUPLICATE)
        }
        rejected = [(mark.first, mark.second) for mark in self._archive.marks(Verdict.NOT_DUPLICATE)]
        self._groups = groups_of(likely, sorted(self._confirmed), rejected, least)

    def whole(self, group: Group) -> WholeGroup | None:
        """A group with its questions; None if these were deleted in the meantime."""
        questions = self._archive.get_many(group.members)
        if len(questions) < 2:
            return None
        inside = set(self._pairs_inside(group.members))
        links = Counter(member for pair in inside for member in pair)
        canonical = canonical_of(list(questions.values()), links)
        first = canonical.question.id
        confirmed = _connected(first, inside & self._confirmed)
        members = tuple(
            Member(question, self._probability(id_, first, inside), id_ in confirmed)
            for id_, question in sorted(questions.items())
            if id_ != first
        )
        return WholeGroup(canonical, members, group.weakest, group.weakest_pair)

    def _probability(self, member: str, canonical: str, inside: set[IdPair]) -> float | None:
        own = {pair: self._likely[pair] for pair in inside if member in pair and pair in self._likely}
        return own.get(ordered(canonical, member), max(own.values(), default=None))

    def _pairs_inside(self, members: Iterable[str]) -> Iterable[IdPair]:
        ids = sorted(members)
        every = ((one, other) for place, one in enumerate(ids) for other in ids[place + 1 :])
        return (pair for pair in every if pair in self._likely or pair in self._confirmed)


def _connected(start: str, pairs: set[IdPair]) -> set[str]:
    """All that pairs lead to, one after the other."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        there = {other for pair in pairs if here in pair for other in pair} - reached
        reached |= there
        waiting += there
    return reached
