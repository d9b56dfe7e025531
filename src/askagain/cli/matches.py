"""Matches as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from askagain.cli.output import text
from askagain.question import Explanation, Match, Question

if TYPE_CHECKING:
    from rich.table import Table

_LEAST_SHOWN: Final = 0.01
_MOST_SHOWN: Final = 0.99


def match_json(match: Match) -> dict[str, object]:
    """One match as plain values; url and answer only where the question has them."""
    question = match.question or Question(title="")
    row: dict[str, object] = {
        "id": match.id,
        "title": question.title,
        "score": match.score,
        "probability": match.probability,
        "reason": match.reason,
        "explanation": _explanation_json(match.explanation) if match.explanation else None,
        "reasons": [asdict(reason) for reason in match.reasons],
    }
    extras = {"url": question.url, "answer": question.answer}
    return row | {name: value for name, value in extras.items() if value}


def _explanation_json(explanation: Explanation) -> dict[str, object]:
    """Without the line and the system's reasons, which a match has as `reason` and `reasons`."""
    return {
        "shared": [asdict(word) for word in explanation.shared],
        "aligned": [asdict(pair) for pair in explanation.aligned],
        "only_asked": [asdict(word) for word in explanation.only_asked],
        "only_found": [asdict(word) for word in explanation.only_found],
    }


def match_table(matches: Sequence[Match], *, explain: bool) -> Table:
    """Rank, title and id, with a short reason; or also with all words and all shares of the score.

    A match has its probability beside it, or else its score.
    """
    from rich.console import Group
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("#", justify="right")
    likely = all(match.probability is not None for match in matches)
    table.add_column("likely" if likely else "score", justify="right", no_wrap=True)
    table.add_column("question", ratio=1, overflow="fold")
    table.add_column("id", max_width=24, overflow="fold")
    for rank, match in enumerate(matches, start=1):
        title = text(match.question.title if match.question else "", style="bold")
        why = text(match.reason, style="dim")
        details = [_words(match.explanation), _shares(match)] if explain else []
        value = f"{match.score:.2f}" if match.probability is None else percent(match.probability)
        table.add_row(str(rank), value, Group(title, why, *details), text(match.id))
    return table


def percent(probability: float) -> str:
    """In whole percents, and nothing is impossible or certain."""
    if probability < _LEAST_SHOWN:
        return f"<{_LEAST_SHOWN:.0%}"
    if probability > _MOST_SHOWN:
        return f">{_MOST_SHOWN:.0%}"
    return f"{probability:.0%}"


def _words(explanation: Explanation | None) -> Table:
    """Every word with its weight; two that are similar also with the cosine of their vectors."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    if explanation is None:
        return table
    kinds = {
        "same": [f"{word.word} {word.weight:.2f}" for word in explanation.shared],
        "similar": [
            f"{p.asked} ~ {p.found} ({p.similarity:.2f}) {p.weight:.2f}" for p in explanation.aligned
        ],
        "only yours": [f"{word.word} {word.weight:.2f}" for word in explanation.only_asked],
        "only theirs": [f"{word.word} {word.weight:.2f}" for word in explanation.only_found],
    }
    for kind, words in kinds.items():
        if words:
            table.add_row(kind, text(", ".join(words), style="dim"))
    return table


def _shares(match: Match) -> Table:
    """Each term's share, and what that is of all that are shown: signs aside, these percents add up to 100.

    Not of the score: networks whose shares do not add up to it owe most of it to no single word.
    """
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    total = sum(abs(reason.share) for reason in match.reasons)
    for reason in match.reasons:
        percent = reason.share / total if total else 0.0
        table.add_row(
            text(reason.term, style="dim"), f"in {reason.field}", f"{reason.share:.2f}", f"{percent:.0%}"
        )
    return table
