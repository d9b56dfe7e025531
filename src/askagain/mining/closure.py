"""What pairs lead to, one after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from askagain.mining.groups import IdPair

Neighbours = Mapping[str, set[str]]


def neighbours_of(pairs: Iterable[IdPair]) -> Neighbours:
    """For each id those that it is in a pair with; an empty set for all others."""
    neighbours: dict[str, set[str]] = defaultdict(set)
    for first, second in pairs:
        neighbours[first].add(second)
        neighbours[second].add(first)
    return neighbours


def reached_from(start: str, neighbours: Neighbours) -> set[str]:
    """The start and all that it leads to."""
    reached, waiting = {start}, [start]
    while waiting:
        new = neighbours.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def closed(pairs: Iterable[IdPair]) -> list[set[str]]:
    """The groups of all that is connected."""
    neighbours = neighbours_of(pairs)
    groups: list[set[str]] = []
    seen: set[str] = set()
    for start in neighbours:
        if start not in seen:
            groups.append(reached_from(start, neighbours))
            seen |= groups[-1]
    return groups
