"""How well found pairs and groups agree with known ones: pairwise and B³ precision and recall."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import NamedTuple

from askagain.mining.groups import IdPair, ordered


class Agreement(NamedTuple):
    """Shares between 0 and 1; precision is 1 where nothing was found, recall where nothing is known."""

    precision: float
    recall: float


def pairs_in(groups: Iterable[Collection[str]]) -> set[IdPair]:
    """All pairs inside groups."""
    return {ordered(one, other) for group in groups for one, other in combinations(group, 2)}


def pairwise(found: Collection[IdPair], known: Collection[IdPair]) -> Agreement:
    """Which of the pairs found are known, and which of the known ones are found."""
    right = len(set(found) & set(known))
    return Agreement(_share(right, len(found)), _share(right, len(known)))


def b_cubed(found: Iterable[Collection[str]], known: Iterable[Collection[str]]) -> Agreement:
    """The mean over the questions of known groups (Bagga and Baldwin 1998); others stand alone.

    Of the group that a question was put in, the share that belongs there; of the group that it belongs to,
    the share that was put there.
    """
    put, belongs = _group_of(found), _group_of(known)
    shared = {id_: len(put.get(id_, {id_}) & belongs[id_]) for id_ in belongs}
    precision = sum(shared[id_] / len(put.get(id_, {id_})) for id_ in belongs)
    recall = sum(shared[id_] / len(belongs[id_]) for id_ in belongs)
    return Agreement(_share(precision, len(belongs)), _share(recall, len(belongs)))


def _group_of(groups: Iterable[Collection[str]]) -> dict[str, set[str]]:
    return {id_: set(group) for group in groups for id_ in group}


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0
