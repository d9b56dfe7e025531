"""The groups of an archive with their canonical questions; made again only when something has changed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from askagain.archive import Archive
from askagain.mining.canonical import Canonical, canonical_of
from askagain.mining.closure import neighbours_of, reached_from
from askagain.mining.groups import Group, IdPair, groups_of, ordered
from askagain.mining.pairs import LikelyPair, LikelyPairs
from askagain.question import Question, Verdict

LEAST: Final = 0.5
"""Groups join what is more likely the same than not, unless somebody wishes for more or less."""

# For so many least probabilities at a time.
_REMEMBERED: Final = 4


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


class ArchiveGroups:
    """All groups of an archive, the largest first, as they were when they were made."""

    def __init__(self, archive: Archive, likely: Sequence[LikelyPair], least: float) -> None:
        self._archive = archive
        self._likely = {ordered(pair.first, pair.second): pair.probability for pair in likely}
        self._confirmed = {ordered(mark.first, mark.second) for mark in archive.marks(Verdict.DUPLICATE)}
        rejected = [(mark.first, mark.second) for mark in archive.marks(Verdict.NOT_DUPLICATE)]
        self.all = groups_of(likely, sorted(self._confirmed), rejected, least)

    def whole(self, groups: Iterable[Group]) -> Iterator[WholeGroup]:
        """Some of the groups with their questions, without those that were deleted in the meantime."""
        for group in groups:
            questions = self._archive.get_many(group.members)
            if len(questions) >= 2:
                yield self._whole(group, questions)

    def _whole(self, group: Group, questions: Mapping[str, Question]) -> WholeGroup:
        inside = set(self._pairs_inside(group.members))
        links = Counter(member for pair in inside for member in pair)
        canonical = canonical_of(list(questions.values()), links)
        first = canonical.question.id
        confirmed = reached_from(first, neighbours_of(inside & self._confirmed))
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


class Grouping:
    """Makes the groups of an archive again only when something has changed. May be shared by threads."""

    def __init__(self, archive: Archive, pairs: LikelyPairs | None) -> None:
        self._archive = archive
        self._pairs = pairs
        self._lock = threading.Lock()
        self._made_from: tuple[object, ...] = ()
        self._made: dict[float, ArchiveGroups] = {}

    def groups(self, least: float = LEAST) -> ArchiveGroups:
        """Those of pairs that are at least so likely."""
        with self._lock:
            made_from = (self._archive.sequence, self._pairs.progress() if self._pairs else None)
            if made_from != self._made_from or len(self._made) >= _REMEMBERED:
                self._made = {}
                self._made_from = made_from
            if least not in self._made:
                likely = list(self._pairs.all_pairs(least)) if self._pairs else []
                self._made[least] = ArchiveGroups(self._archive, likely, least)
            return self._made[least]
