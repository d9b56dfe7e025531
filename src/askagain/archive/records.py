"""What the archive tells about itself: its position, its changes, what a write did, and who may do what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from askagain.question import Question


@dataclass(frozen=True, slots=True)
class Position:
    """A point in the archive's history. `token` differs between two histories with equal numbers."""

    seq: int
    token: str


@dataclass(frozen=True, slots=True)
class Change:
    """The latest state of a question that changed; `question` is None when it was deleted."""

    seq: int
    number: int
    id: str
    question: Question | None


@dataclass(frozen=True, slots=True)
class PutCounts:
    """What became of the questions of a bulk write."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: PutCounts) -> PutCounts:
        return PutCounts(
            self.added + other.added, self.changed + other.changed, self.unchanged + other.unchanged
        )


class Scope(StrEnum):
    """What the holder of a key may do: all may read; to add questions and to judge pairs are two things."""

    READ = "read"
    WRITE = "write"
    MODERATE = "moderate"

    def allows(self, needed: Scope) -> bool:
        """Whether a key with this scope will do where one with `needed` is asked for."""
        return needed in (Scope.READ, self)


@dataclass(frozen=True, slots=True)
class Key:
    """What is known about a key; the key itself is not. `expires` is empty if it never does."""

    name: str
    scope: Scope
    created: str
    expires: str = ""

    def is_expired(self, now: datetime) -> bool:
        """Whether its time is over; `now` has a time zone."""
        return bool(self.expires) and datetime.fromisoformat(self.expires) <= now
