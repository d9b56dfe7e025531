"""Precision and recall over time: by the month in which people marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from askagain.reporting.assessing import Outcome
from askagain.reporting.shares import Share, share_of

UNDATED: Final = "undated"
ALL: Final = "all"


@dataclass(frozen=True)
class Period:
    """The marks of some time: how many of each kind, and how many of them would have been suggested."""

    name: str
    duplicates: int
    rejected: int
    suggested_duplicates: int
    suggested_rejected: int

    @property
    def precision(self) -> Share | None:
        """Of what would have been suggested and was marked, how much are duplicates.

        None where nobody has rejected anything: then nothing that was marked could be wrong.
        """
        if not self.rejected:
            return None
        return share_of(self.suggested_duplicates, self.suggested_duplicates + self.suggested_rejected)

    @property
    def recall(self) -> Share | None:
        """Of the marked duplicates, how many would have been suggested."""
        return share_of(self.suggested_duplicates, self.duplicates)


def over_time(outcomes: Iterable[Outcome]) -> list[Period]:
    """One period for each month that has marks, in order; marks without a readable date come last."""
    months: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        months.setdefault(month_of(outcome.mark.when), []).append(outcome)
    return [
        period_of(name, months[name]) for name in sorted(months, key=lambda name: (name == UNDATED, name))
    ]


def period_of(name: str, outcomes: Sequence[Outcome]) -> Period:
    """Counts some outcomes."""
    duplicates = [outcome.suggested for outcome in outcomes if outcome.is_duplicate]
    rejected = [outcome.suggested for outcome in outcomes if not outcome.is_duplicate]
    return Period(name, len(duplicates), len(rejected), sum(duplicates), sum(rejected))


def month_of(when: str) -> str:
    """`2024-05` of an ISO date, with a time or without."""
    try:
        date = datetime.fromisoformat(when.strip())
    except ValueError:
        return UNDATED
    return f"{date.year:04}-{date.month:02}"
