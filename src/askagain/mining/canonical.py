"""The question of a group that stands for the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from askagain.question import Question

_SHORTEST_TITLE: Final = 15
_LONGEST_TITLE: Final = 150


@dataclass(frozen=True, slots=True)
class Canonical:
    """A question and, in one line, why it was chosen."""

    question: Question
    why: str


_Criterion = tuple[str, Callable[[Question], Any]]


def canonical_of(questions: Sequence[Question], links: Mapping[str, int]) -> Canonical:
    """The one of at least one question that the others are best closed in favour of.

    It is the answered one; of several the one with most `links`, given by id: marks and likely pairs inside
    the group; then the oldest; then the clearest, whose title is neither very short nor very long and whose
    body is short; then the one with the smallest id.
    """
    best = list(questions)
    reasons: list[str] = []
    for reason, value in _criteria(links):
        smallest = min(map(value, best))
        rest = [question for question in best if value(question) == smallest]
        if len(rest) < len(best):
            reasons.append(reason)
        best = rest
    return Canonical(best[0], f"it {_listed(reasons)}" if reasons else "it is the only one")


def _criteria(links: Mapping[str, int]) -> tuple[_Criterion, ...]:
    """What to look at, in this order; the smallest value is the best."""
    return (
        ("has an answer", lambda question: not question.answer.strip()),
        ("has the most links to the others", lambda question: -links.get(question.id, 0)),
        ("is the oldest", _age),
        ("has a title of the right length", _unusual_title),
        ("has the shortest text", lambda question: len(question.body)),
        ("has the smallest id", lambda question: question.id),
    )


def _age(question: Question) -> float:
    """Seconds since 1970; infinite if nobody knows. A time without a zone is UTC."""
    try:
        created = datetime.fromisoformat(question.created.strip())
    except ValueError:
        return float("inf")
    return (created if created.tzinfo else created.replace(tzinfo=UTC)).timestamp()


def _unusual_title(question: Question) -> bool:
    return not _SHORTEST_TITLE <= len(question.title.strip()) <= _LONGEST_TITLE


def _listed(reasons: Sequence[str]) -> str:
    *others, last = reasons
    return f"{', '.join(others)} and {last}" if others else last
