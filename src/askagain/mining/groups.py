"""Groups of questions that ask the same, from pairs that probably do and pairs of which people said so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from askagain.mining.pairs import LikelyPair
from askagain.tables import check_range

IdPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that ask the same, by their ids in order.

    `weakest_pair` is the least likely of the pairs that hold the group together, with the probability
    `weakest`; both are None where people's word alone does. `contradictions` are pairs inside that people
    called different, although they called both the same as others.
    """

    members: tuple[str, ...]
    weakest: float | None = None
    weakest_pair: IdPair | None = None
    contradictions: tuple[IdPair, ...] = ()

    @property
    def confirmed(self) -> bool:
        """Whether people's word alone holds the group together."""
        return self.weakest is None


def groups_of(
    pairs: Iterable[LikelyPair], confirmed: Iterable[IdPair], rejected: Iterable[IdPair], least: float
) -> list[Group]:
    """The groups of at least two questions: largest first, then the surest, then by id.

    Questions that people called the same, directly or over others, are one unit: they stay together. Two
    units are as likely the same as the most likely pair between them, but never if people called a pair
    between them different. Groups of units then grow by complete linkage, the most likely pairs first: two
    groups become one only if each unit of the one is linked to each unit of the other by a pair of at least
    the probability `least`. A pair that is not given counts as 0, so A~B and B~C do not join A and C.
    """
    check_range("least", least, 0, 1)
    units = _Sets()
    for first, second in confirmed:
        units.join(first, second)
    apart, contradictions = _rejections(units, rejected)
    likely = (pair for pair in pairs if pair.probability >= least)
    linkage = _CompleteLinkage()
    for link in _links(units, likely, apart):
        linkage.add(link)
    return sorted(_groups(units, linkage, contradictions), key=_largest_and_surest)


class _Link(NamedTuple):
    """The most likely pair between two units. Links sort by it, the most likely first."""

    unlikely: float
    pair: IdPair
    units: IdPair


class _Sets:
    """Disjoint sets of ids, each named after one of them."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, id_: str) -> str:
        """The name of the set that an id is in, if need be of a new one."""
        above = self._above
        while (higher := above.setdefault(id_, id_)) != id_:
            # Every second step is cut short for the next time (Tarjan and van Leeuwen 1984).
            above[id_] = id_ = above[higher]
        return id_

    def join(self, first: str, second: str) -> None:
        """Make one set of two, with the first one's name."""
        self._above[self.of(second)] = self.of(first)

    def members(self) -> dict[str, list[str]]:
        """The ids of each set."""
        members: dict[str, list[str]] = defaultdict(list)
        for id_ in self._above:
            members[self.of(id_)].append(id_)
        return members


class _CompleteLinkage:
    """Takes one link for each pair of units, most likely first.

    Two groups become one with the last of the links between them, which is the weakest. That all are there is
    known by counting, which costs no more at each step than the links of the group that has fewer.
    """

    def __init__(self) -> None:
        self.groups = _Sets()
        self.weakest: dict[str, _Link] = {}
        self._sizes: dict[str, int] = {}
        self._met: dict[str, dict[str, int]] = defaultdict(dict)

    def add(self, link: _Link) -> None:
        """Take the next link."""
        first, second = map(self.groups.of, link.units)
        self._count(first, second, 1)
        if self._met[first][second] == self._size(first) * self._size(second):
            few, many = sorted((first, second), key=lambda name: len(self._met[name]))
            self._join(many, few)
            self.weakest[many] = link

    def _join(self, many: str, few: str) -> None:
        self._sizes[many] = self._size(many) + self._size(few)
        self.groups.join(many, few)
        for other, links in self._met.pop(few).items():
            del self._met[other][few]
            if other != many:
                self._count(many, other, links)

    def _count(self, first: str, second: str, links: int) -> None:
        known = self._met[first].get(second, 0) + links
        self._met[first][second] = self._met[second][first] = known

    def _size(self, group: str) -> int:
        return self._sizes.get(group, 1)


def _rejections(units: _Sets, rejected: Iterable[IdPair]) -> tuple[set[IdPair], dict[str, list[IdPair]]]:
    """The pairs of units that people called different, and the contradictions inside each unit."""
    apart: set[IdPair] = set()
    contradictions: dict[str, list[IdPair]] = defaultdict(list)
    for first, second in rejected:
        one, other = units.of(first), units.of(second)
        if one == other:
            contradictions[one].append(ordered(first, second))
        else:
            apart.add(ordered(one, other))
    return apart, contradictions


def _links(units: _Sets, pairs: Iterable[LikelyPair], apart: set[IdPair]) -> list[_Link]:
    links: dict[IdPair, _Link] = {}
    for pair in pairs:
        between = ordered(units.of(pair.first), units.of(pair.second))
        if between[0] == between[1] or between in apart:
            continue
        link = _Link(-pair.probability, ordered(pair.first, pair.second), between)
        links[between] = min(links.get(between, link), link)
    return sorted(links.values())


def _groups(
    units: _Sets, linkage: _CompleteLinkage, contradictions: dict[str, list[IdPair]]
) -> Iterator[Group]:
    members = units.members()
    for unit in members:
        linkage.groups.of(unit)
    for name, parts in linkage.groups.members().items():
        ids = sorted(id_ for part in parts for id_ in members[part])
        if len(ids) < 2:
            continue
        link = linkage.weakest.get(name)
        inside = tuple(sorted(pair for part in parts for pair in contradictions.get(part, ())))
        yield Group(tuple(ids), -link.unlikely if link else None, link.pair if link else None, inside)


def _largest_and_surest(group: Group) -> tuple[int, float, tuple[str, ...]]:
    return -len(group.members), -1.0 if group.weakest is None else -group.weakest, group.members


def ordered(first: str, second: str) -> IdPair:
    """The same pair, in the order of ids."""
    return (first, second) if first < second else (second, first)
