"""Where a system would have been wrong: with texts, probabilities and reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from askagain.question import Question
from askagain.reporting.assessing import Assessed, Outcome

MOST_SHOWN: Final = 10
"""So many wrong candidates, and so many missed duplicates, are shown with their texts."""

LIKELY: Final = 0.5
"""A wrong candidate that is at least so likely is shown, even if it would not have been suggested."""

Explain = Callable[[Question, Question], str]
"""From the question that is asked and the one that was found to one line on what they have in common."""

QuestionsOf = Callable[[Iterable[str]], Mapping[str, Question]]
"""The questions with these ids."""


class Kind(StrEnum):
    """In which way a system was wrong about a pair."""

    REJECTED = "people have rejected it"
    UNMARKED = "nobody has marked it"
    UNLIKELY = "found, but not likely enough"
    NOT_FOUND = "not found by the search"


@dataclass(frozen=True)
class Mistake:
    """A candidate that is no duplicate, or a duplicate that would not have been suggested."""

    kind: Kind
    asked: Question
    found: Question
    probability: float | None
    rank: int | None
    suggested: bool
    reason: str


@dataclass(frozen=True)
class Mistakes:
    """How many pairs would have been suggested wrongly or missed, by kind; and the worst of them.

    Among the wrong ones may be such as are likely and would not have been suggested.
    """

    counts: Mapping[Kind, int]
    wrong: Sequence[Mistake]
    missed: Sequence[Mistake]


@dataclass(frozen=True)
class _Found:
    """A pair by the ids of its questions."""

    kind: Kind
    asked: str
    found: str
    probability: float | None
    rank: int | None
    suggested: bool


def mistakes_of(
    assessed: Assessed, outcomes: Sequence[Outcome], questions_of: QuestionsOf, explain: Explain
) -> Mistakes:
    """The most likely wrong candidates, rejected ones first; missed duplicates, those worst placed first."""
    rejected = sorted(_rejected(outcomes), key=_likely_first)
    unmarked = sorted(_unmarked(assessed), key=_likely_first)
    missed = sorted(_missed(outcomes), key=_worst_placed_first)
    kinds = [pair.kind for pair in (*rejected, *unmarked) if pair.suggested] + [pair.kind for pair in missed]
    wrong, missed = [*rejected, *unmarked][:MOST_SHOWN], missed[:MOST_SHOWN]
    questions = questions_of({id_ for pair in (*wrong, *missed) for id_ in (pair.asked, pair.found)})
    return Mistakes(
        {kind: kinds.count(kind) for kind in Kind},
        list(_told(wrong, questions, explain)),
        list(_told(missed, questions, explain)),
    )


def _rejected(outcomes: Sequence[Outcome]) -> list[_Found]:
    return [
        _marked(Kind.REJECTED, outcome)
        for outcome in outcomes
        if not outcome.is_duplicate and _is_worth_telling(outcome.probability or 0.0, outcome.suggested)
    ]


def _missed(outcomes: Sequence[Outcome]) -> list[_Found]:
    return [
        _marked(Kind.NOT_FOUND if outcome.rank is None else Kind.UNLIKELY, outcome)
        for outcome in outcomes
        if outcome.is_duplicate and not outcome.suggested
    ]


def _marked(kind: Kind, outcome: Outcome) -> _Found:
    mark = outcome.mark
    return _Found(kind, mark.second, mark.first, outcome.probability, outcome.rank, outcome.suggested)


def _unmarked(assessed: Assessed) -> list[_Found]:
    """Each pair once, as it is more likely, whichever of its questions is asked."""
    candidates, likely = assessed.candidates, assessed.probabilities
    worth = np.flatnonzero(candidates.unmarked & (assessed.suggested | (likely >= LIKELY)))
    pairs: dict[frozenset[str], _Found] = {}
    for place in worth[np.argsort(-likely[worth], kind="stable")].tolist():
        asked = candidates.asked[int(candidates.examples.lists[place])].question.id
        pair = _Found(
            Kind.UNMARKED,
            asked,
            candidates.ids[place],
            float(likely[place]),
            int(assessed.ranks[place]),
            bool(assessed.suggested[place]),
        )
        pairs.setdefault(frozenset((asked, pair.found)), pair)
    return list(pairs.values())


def _is_worth_telling(probability: float, suggested: bool) -> bool:
    return suggested or probability >= LIKELY


def _likely_first(pair: _Found) -> float:
    return -(pair.probability or 0.0)


def _worst_placed_first(pair: _Found) -> tuple[bool, int]:
    return pair.rank is not None, -(pair.rank or 0)


def _told(pairs: Iterable[_Found], questions: Mapping[str, Question], explain: Explain) -> Iterator[Mistake]:
    """Without those of which a question was deleted in the meantime."""
    for pair in pairs:
        asked, found = questions.get(pair.asked), questions.get(pair.found)
        if asked and found:
            reason = explain(asked, found)
            yield Mistake(pair.kind, asked, found, pair.probability, pair.rank, pair.suggested, reason)
