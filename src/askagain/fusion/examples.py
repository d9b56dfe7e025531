"""What the order of candidates is learned from: marked questions with what a search returns for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askagain.fusion.gathering import Gatherer
from askagain.question import Feedback, Question, Verdict
from askagain.rerank.fit.examples import Examples
from askagain.rerank.matrix import Matrix
from askagain.sources.base import Progress, no_progress
from askagain.sources.lists import CandidateList
from askagain.training.data import TrainingData, partners_of

_BY_TITLE_ALONE: Final = 3
"""Every third question."""


class Asked(NamedTuple):
    """A marked question: the ids of its duplicates, of those that are none, and the group that it is in.

    Duplicates of its duplicates (`kin`) are probably duplicates, too, but nobody has said so: they are left
    out.
    """

    question: Question
    duplicates: frozenset[str]
    rejected: frozenset[str]
    group: int
    kin: frozenset[str] = frozenset()


@dataclass
class _Rows:
    """Matrices, labels, lists and groups as they come together."""

    matrices: list[Matrix]
    labels: list[NDArray[np.bool_]]
    groups: list[int]
    pairs: list[frozenset[str]]

    def add(
        self, matrix: Matrix, labels: NDArray[np.bool_], group: int, pairs: Iterable[frozenset[str]]
    ) -> None:
        self.matrices.append(matrix)
        self.labels.append(labels)
        self.groups.append(group)
        self.pairs.extend(pairs)

    def examples(self, signals: int) -> Examples:
        sizes = [len(labels) for labels in self.labels]
        return Examples(
            np.concatenate([np.zeros((0, signals)), *self.matrices]),
            np.concatenate([np.zeros(0, dtype=np.bool_), *self.labels]),
            np.repeat(np.arange(len(sizes)), sizes),
            np.repeat(np.array(self.groups, dtype=np.int64), sizes),
            numbered_pairs(self.pairs),
        )


def numbered_pairs(pairs: Iterable[frozenset[str]]) -> NDArray[np.int64]:
    """One number for each different pair of ids, in whichever order they come."""
    numbers: dict[frozenset[str], int] = {}
    return np.array([numbers.setdefault(pair, len(numbers)) for pair in pairs], dtype=np.int64)


def asked_in(data: TrainingData, rejected: Sequence[tuple[str, str]], most: int, seed: int) -> list[Asked]:
    """The questions that are in a marked pair, or in a rejected one; at most so many, drawn at random.

    Some are asked by their titles alone, as by people who have just begun to type.
    """
    rows = {question.id: row for row, question in enumerate(data.questions)}
    pairs = [(rows[a], rows[b]) for a, b in rejected if a in rows and b in rows]
    apart = partners_of(pairs)
    together = partners_of(data.pairs.tolist())
    known = np.array(sorted({*together, *apart}), dtype=np.int64)
    drawn = np.random.default_rng(seed).permutation(known)[:most]
    kin = _kin(data)
    return [
        Asked(
            data.questions[row] if place % _BY_TITLE_ALONE else replace(data.questions[row], body=""),
            frozenset(data.questions[other].id for other in together.get(row, ())),
            frozenset(data.questions[other].id for other in apart.get(row, ())),
            int(data.groups[row]),
            kin.get(int(data.groups[row]), frozenset()),
        )
        for place, row in enumerate(drawn.tolist())
    ]


def asked_by_people(feedback: Sequence[Feedback], data: TrainingData) -> list[Asked]:
    """Questions that people have typed, with what they said of the matches; each is in its matches' group."""
    rows = {question.id: row for row, question in enumerate(data.questions)}
    kin = _kin(data)
    said: dict[Question, dict[Verdict, set[str]]] = {}
    for each in feedback:
        if each.found in rows:
            verdicts = said.setdefault(
                Question(each.title, each.body), {verdict: set() for verdict in Verdict}
            )
            verdicts[each.verdict].add(each.found)
    asked = []
    for question, verdicts in said.items():
        duplicates = verdicts[Verdict.DUPLICATE]
        groups = [
            int(data.groups[rows[id_]]) for id_ in sorted(duplicates or verdicts[Verdict.NOT_DUPLICATE])
        ]
        asked.append(
            Asked(
                question,
                frozenset(duplicates),
                frozenset(verdicts[Verdict.NOT_DUPLICATE] - duplicates),
                groups[0],
                frozenset().union(*(kin.get(group, frozenset()) for group in groups if duplicates)),
            )
        )
    return asked


def asked_in_dev(data: TrainingData) -> list[Asked]:
    """The questions of the dev set."""
    if data.dev is None:
        return []
    kin = _kin(data)
    return [
        Asked(
            data.questions[row],
            frozenset(data.questions[other].id for other in found),
            frozenset(),
            int(data.groups[row]),
            kin.get(int(data.groups[row]), frozenset()),
        )
        for row, found in zip(data.dev.queries.tolist(), data.dev.relevant, strict=True)
    ]


def _kin(data: TrainingData) -> dict[int, frozenset[str]]:
    """The ids of each group that has more than one question."""
    order = np.argsort(data.groups, kind="stable")
    groups, starts = np.unique(data.groups[order], return_index=True)
    return {
        int(group): frozenset(data.questions[row].id for row in rows.tolist())
        for group, rows in zip(groups, np.split(order, starts[1:]), strict=True)
        if len(rows) > 1
    }


def searched_examples(
    gatherer: Gatherer, asked: Sequence[Asked], progress: Progress = no_progress
) -> Examples:
    """Every candidate of each question is an example; what nobody marked counts as different.

    Where people have only rejected something, nobody has looked for duplicates: the rest says nothing.
    """
    rows = _Rows([], [], [], [])
    for done, each in enumerate(asked, start=1):
        gathered = gatherer.found(each.question)
        ids = [candidate.id for candidate in gathered.questions]
        judged = np.array([_is_judged(id_, each) for id_ in ids], dtype=np.bool_)
        labels = np.array([id_ in each.duplicates for id_ in ids], dtype=np.bool_)
        pairs = [frozenset((_name(each.question, done), id_)) for id_ in compress(ids, judged)]
        rows.add(gathered.matrix[judged], labels[judged], each.group, pairs)
        progress(done, len(asked))
    return rows.examples(len(gatherer.signals.names))


def _name(asked: Question, place: int) -> str:
    """The id of a question that has one; what people type has none."""
    return asked.id or f"\0{place}"


def _is_judged(id_: str, asked: Asked) -> bool:
    if id_ in asked.rejected or id_ in asked.duplicates:
        return True
    return bool(asked.duplicates) and id_ not in asked.kin


def listed_examples(
    gatherer: Gatherer, lists: Sequence[CandidateList], progress: Progress = no_progress
) -> Examples:
    """The candidates of labelled lists."""
    rows = _Rows([], [], [], [])
    for done, list_ in enumerate(lists):
        gathered = gatherer.given(list_.query, [entry.question for entry in list_.candidates])
        labels = np.array([bool(entry.relevant) for entry in list_.candidates], dtype=np.bool_)
        pairs = [frozenset((_name(list_.query, done), entry.question.id)) for entry in list_.candidates]
        rows.add(gathered.matrix, labels, done, pairs)
        progress(done + 1, len(lists))
    return rows.examples(len(gatherer.signals.names))


def joined_examples(sets: Sequence[Examples]) -> Examples:
    """The examples of several forums as one; their lists, groups and pairs stay apart."""
    lists, groups, pairs, first = [], [], [], 0
    for examples in sets:
        lists.append(examples.lists + first)
        groups.append((examples.lists if examples.groups is None else examples.groups) + first)
        pairs.append((np.arange(len(examples.labels)) if examples.pairs is None else examples.pairs) + first)
        first = max(int(part[-1].max(initial=first)) for part in (lists, groups, pairs)) + 1
    return Examples(
        np.concatenate([examples.features for examples in sets]),
        np.concatenate([examples.labels for examples in sets]),
        np.concatenate(lists),
        np.concatenate(groups),
        np.concatenate(pairs),
    )
