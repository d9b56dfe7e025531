"""What the archive tells about itself: its position, its changes, and what a write did."""

from __future__ import annotations

from dataclasses import dataclass

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
