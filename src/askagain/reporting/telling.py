"""A report in words and tables, the same on the page and on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from askagain.reporting.growth import DRAWS, Estimate
from askagain.reporting.growthcurve import stage_name
from askagain.reporting.mistakes import Kind, Mistake
from askagain.reporting.periods import Period
from askagain.reporting.report import Confidence, Report, Scope
from askagain.reporting.shares import Share
from askagain.wording import counted

NOTHING: Final = "–"

_COUNTED: Final = {
    Kind.REJECTED: "suggested, and people have rejected it",
    Kind.UNMARKED: "suggested, and nobody has marked it",
    Kind.UNLIKELY: "a duplicate that is found, but not likely enough to be suggested",
    Kind.NOT_FOUND: "a duplicate that the search does not find",
}


class Grid(NamedTuple):
    """A table: the names of its columns, and its rows."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def summary(report: Report) -> list[str]:
    """What was done, and what came out, in sentences."""
    return [*_done(report.scope, report.confidence), _threshold(report.confidence), *_outcome(report)]


def _done(scope: Scope, confidence: Confidence) -> list[str]:
    sentences = [
        f"{scope.questions:,} of {counted(scope.marked_questions, 'marked question')} were asked again "
        f"(at most {scope.most:,}), which tells about {scope.pairs:,} of "
        f"{counted(scope.marked_pairs, 'marked pair')}: would the later question have found the earlier one?",
    ]
    if confidence.chosen is None:
        sentences.append(
            "There are too few marks to learn from: order and probabilities are those that ship with the "
            "package."
        )
    else:
        sentences.append(
            "Each list was judged, and its probabilities and threshold were chosen, by what the marks of "
            f"other duplicates teach (cross-validation); the best way to learn was: {confidence.chosen}."
        )
    if scope.tuned:
        sentences.append("Encoders that would learn from the marks were used as they were before.")
    return sentences


def _threshold(confidence: Confidence) -> str:
    fitted = confidence.calibration
    wished = f"{fitted.precision:.0%}"
    if fitted.is_silent:
        return (
            f"With all of these marks no threshold holds the wished precision of {wished}: from now on the "
            "system would stay silent, unless asked for less likely matches."
        )
    if not fitted.is_calibrated:
        return (
            "From now on a service would suggest what has a probability of "
            f"{fitted.suggests_from:.0%} or more: a stated default, since the probabilities are not "
            "calibrated here."
        )
    return (
        f"From now on it would suggest what has a probability of {fitted.threshold:.0%} or more (chosen on "
        f"these marks, for a precision of {wished})."
    )


def _outcome(report: Report) -> list[str]:
    overall = report.overall
    sentences = [
        f"Of {counted(overall.duplicates, 'marked duplicate')} it would have suggested "
        f"{overall.suggested_duplicates:,}, of {counted(overall.rejected, 'rejected pair')} "
        f"{overall.suggested_rejected:,}.",
        f"In a whole list of matches {report.first:,} of the duplicates stand first, and "
        f"{report.among_ten:,} are among the first ten.",
    ]
    if not overall.rejected:
        sentences.append("Nobody has rejected a pair, so that precision by marks alone is not known.")
    if report.cautious:
        sentences.append(
            f"If everything that nobody has marked is wrong, {share_text(report.cautious)} of all its "
            "suggestions are right; the true share is likely higher."
        )
    sentences.append(f"Expected calibration error of its probabilities: {report.confidence.error:.4f}.")
    return sentences


def periods_grid(report: Report) -> Grid:
    """Precision and recall by month, and of all months."""
    head = ("month", "duplicates", "suggested", "rejected", "suggested too", "precision", "recall")
    return Grid(head, [_period_row(period) for period in (*report.periods, report.overall)])


def _period_row(period: Period) -> Sequence[str]:
    return (
        period.name,
        f"{period.duplicates:,}",
        f"{period.suggested_duplicates:,}",
        f"{period.rejected:,}",
        f"{period.suggested_rejected:,}",
        share_text(period.precision),
        share_text(period.recall),
    )


def counts_grid(report: Report) -> Grid:
    """How often each kind of mistake was made, the most common ones first."""
    counts = sorted(report.mistakes.counts.items(), key=lambda item: -item[1])
    return Grid(("mistake", "pairs"), [(_COUNTED[kind], f"{count:,}") for kind, count in counts])


def growth_grid(report: Report) -> Grid:
    """What was reached with how many marks."""
    rows = [
        (
            stage_name(stage),
            estimate_text(stage.map),
            estimate_text(stage.precision) if stage.precision else NOTHING,
            estimate_text(stage.recall),
        )
        for stage in report.growth
    ]
    return Grid(("marks", "MAP", "precision", "recall"), rows)


def growth_note(report: Report) -> str:
    """How these figures came about."""
    if not report.growth:
        return "There are too few marks to learn from some of them and to measure with others."
    return (
        f"Means over {DRAWS} random draws, with the lowest and the highest: a quarter of the groups of "
        "duplicates is measured, some of the others are learned from. MAP is over what the search returns; "
        "precision counts whatever nobody has marked as wrong."
    )


def share_text(share: Share | None) -> str:
    """`83% (71–91)`."""
    if share is None:
        return NOTHING
    return f"{share.value:.0%} ({100 * share.low:.0f}–{100 * share.high:.0f})"


def estimate_text(estimate: Estimate) -> str:
    """`45.2 (43.1–47.0)`."""
    value, low, high = (100 * number for number in (estimate.value, estimate.low, estimate.high))
    return f"{value:.1f} ({low:.1f}–{high:.1f})"


def mistake_text(mistake: Mistake) -> str:
    """`93%, place 1, people have rejected it`."""
    parts = [] if mistake.probability is None else [f"{mistake.probability:.0%}", f"place {mistake.rank}"]
    parts.append(str(mistake.kind))
    if mistake.kind in (Kind.REJECTED, Kind.UNMARKED) and not mistake.suggested:
        parts.append("below the threshold")
    return ", ".join(parts)
