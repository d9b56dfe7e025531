"""What a model learns from: all questions as raw text, some pairs of them as marked duplicates."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from askagain.archive import Archive
from askagain.encoders.texts import Rows
from askagain.question import Question, Verdict

DEV_SHARE = 0.1
FEWEST_GROUPS_FOR_DEV = 10
"""With fewer groups of duplicates all of them teach, and none is left to measure with."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class DevSet:
    """Queries with the questions to find for each; `lists` limits the search to candidates, if given."""

    queries: Rows
    relevant: tuple[frozenset[int], ...]
    lists: NDArray[np.int64] | None = None

    @property
    def can_be_found(self) -> bool:
        """Whether anything is to be found in the lists, if there are any."""
        if self.lists is None:
            return True
        every = zip(self.relevant, self.lists.tolist(), strict=True)
        return any(relevant.intersection(list_) for relevant, list_ in every)


@dataclass(frozen=True)
class TrainingData:
    """Questions by row. Questions of one group are duplicates of each other, directly or through others."""

    questions: tuple[Question, ...]
    pairs: NDArray[np.int64]
    groups: NDArray[np.int64]
    dev: DevSet | None = None
    source: str = field(default="", compare=False)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything that is learned from and measured with."""
        digest = sha256()
        for question in self.questions:
            digest.update(repr((question.id, question.title, question.body)).encode("utf-8", "replace"))
        digest.update(self.pairs.tobytes())
        if self.dev is not None:
            digest.update(self.dev.queries.tobytes())
            digest.update(repr([sorted(found) for found in self.dev.relevant]).encode())
        return digest.hexdigest()


def from_archive(archive: Archive, seed: int) -> TrainingData:
    """All questions and duplicate marks of an archive; a tenth of the groups of duplicates serves as dev."""
    questions = tuple(archive.questions())
    present = {question.id for question in questions}
    marks = [(mark.first, mark.second) for mark in archive.marks(Verdict.DUPLICATE)]
    known = [pair for pair in marks if pair[0] in present and pair[1] in present]
    train, dev = divided(known, seed)
    return assembled(questions, train, dev, source=archive.path.name)


def assembled(
    questions: Sequence[Question], train: Sequence[Pair], dev: Sequence[Pair], source: str = ""
) -> TrainingData:
    """Training data from questions and pairs of ids."""
    rows = {question.id: row for row, question in enumerate(questions)}
    pairs, measured = ([(rows[a], rows[b]) for a, b in some if a != b] for some in (train, dev))
    return TrainingData(
        tuple(questions),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        _groups(len(questions), [*pairs, *measured]),
        _dev_set(measured) if measured else None,
        source,
    )


def divided(pairs: Sequence[Pair], seed: int, share: float = DEV_SHARE) -> tuple[list[Pair], list[Pair]]:
    """Pairs to learn from and to measure with; a group of duplicates is never on both sides."""
    ids = sorted({id_ for pair in pairs for id_ in pair})
    number = {id_: row for row, id_ in enumerate(ids)}
    groups = _groups(len(ids), [(number[a], number[b]) for a, b in pairs])
    different = sorted(set(groups.tolist()))
    if len(different) < FEWEST_GROUPS_FOR_DEV:
        return list(pairs), []
    chosen = set(random.Random(seed).sample(different, round(len(different) * share)))
    train = [pair for pair in pairs if groups[number[pair[0]]] not in chosen]
    return train, [pair for pair in pairs if groups[number[pair[0]]] in chosen]


def _groups(size: int, pairs: Iterable[Sequence[int]]) -> NDArray[np.int64]:
    """The smallest row that each row is connected with."""
    parent = list(range(size))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for first, second in pairs:
        low, high = sorted((root(first), root(second)))
        parent[high] = low
    return np.array([root(row) for row in range(size)], dtype=np.int64)


def partners_of(pairs: Iterable[Sequence[int]]) -> dict[int, set[int]]:
    """For each row that is in a pair, the other rows of its pairs."""
    partners: dict[int, set[int]] = {}
    for first, second in pairs:
        partners.setdefault(first, set()).add(second)
        partners.setdefault(second, set()).add(first)
    return partners


def _dev_set(pairs: Sequence[tuple[int, int]]) -> DevSet:
    relevant = partners_of(pairs)
    return DevSet(np.array(list(relevant), dtype=np.int64), tuple(map(frozenset, relevant.values())))
