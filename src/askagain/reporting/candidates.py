"""Marked questions with everything that a search returns for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from askagain.fusion.examples import Asked, asked_in, numbered_pairs
from askagain.fusion.gathering import Gatherer
from askagain.question import Mark, Question, Verdict
from askagain.rerank.fit.examples import Examples
from askagain.rerank.matrix import Matrix
from askagain.sources.base import Progress, no_progress
from askagain.training.data import Pair, assembled


@dataclass(frozen=True)
class Candidates:
    """The candidates of all lists, one after the other: their ids, and their signals as examples.

    What nobody marked counts as different (`unmarked`), but only beside duplicates: where people have
    rejected something and found nothing, the rest of a list says nothing, and neither do duplicates of
    duplicates. Those are `judged` that people have marked, or that count as different.
    """

    asked: Sequence[Asked]
    ids: Sequence[str]
    examples: Examples
    judged: NDArray[np.bool_]
    unmarked: NDArray[np.bool_]


class Marked(NamedTuple):
    """The questions to ask, and the group of duplicates that each marked question is in, asked or not."""

    asked: Sequence[Asked]
    groups: Mapping[str, int]


def marked_questions(marks: Sequence[Mark], questions: Iterable[Question], most: int, seed: int) -> Marked:
    """The questions of all marks; at most so many are asked, drawn at random."""
    ordered = sorted(questions, key=lambda question: question.id)
    data = assembled(ordered, pairs_of(marks, Verdict.DUPLICATE), [])
    asked = asked_in(data, pairs_of(marks, Verdict.NOT_DUPLICATE), most, seed)
    return Marked(asked, dict(zip((each.id for each in ordered), data.groups.tolist(), strict=True)))


def pairs_of(marks: Iterable[Mark], verdict: Verdict) -> list[Pair]:
    """The pairs of ids that people have marked so."""
    return [(mark.first, mark.second) for mark in marks if mark.verdict is verdict]


def candidates_of(gatherer: Gatherer, marked: Marked, progress: Progress = no_progress) -> Candidates:
    """Asks every question once; all that is reported is computed from what comes back."""
    ids: list[str] = []
    sizes: list[int] = []
    matrices = [np.zeros((0, len(gatherer.signals.names)))]
    for done, each in enumerate(marked.asked, start=1):
        gathered = gatherer.found(each.question)
        ids += [question.id for question in gathered.questions]
        sizes.append(len(gathered.questions))
        matrices.append(gathered.matrix)
        progress(done, len(marked.asked))
    return _labelled(marked, ids, np.repeat(np.arange(len(sizes)), sizes), np.concatenate(matrices))


def _labelled(marked: Marked, ids: Sequence[str], lists: NDArray[np.int64], features: Matrix) -> Candidates:
    owners = [marked.asked[number] for number in lists.tolist()]
    pairs = list(zip(owners, ids, strict=True))
    labels, rejected, looked_for, related = (
        np.array(values, dtype=np.bool_)
        for values in (
            [id_ in owner.duplicates for owner, id_ in pairs],
            [id_ in owner.rejected for owner, id_ in pairs],
            [bool(owner.duplicates) for owner in owners],
            [marked.groups.get(id_) == owner.group for owner, id_ in pairs],
        )
    )
    unmarked = looked_for & ~(labels | rejected | related)
    groups = np.array([owner.group for owner in owners], dtype=np.int64)
    numbers = numbered_pairs(frozenset((owner.question.id, id_)) for owner, id_ in pairs)
    return Candidates(
        marked.asked,
        ids,
        Examples(features, labels, lists, groups, numbers),
        judged=labels | rejected | unmarked,
        unmarked=unmarked,
    )
