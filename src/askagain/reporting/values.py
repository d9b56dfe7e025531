"""A report as plain values, for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from askagain.question import Question
from askagain.reporting.growth import DRAWS
from askagain.reporting.mistakes import Mistake
from askagain.reporting.periods import Period
from askagain.reporting.report import Confidence, Report
from askagain.reporting.shares import Share


def report_values(report: Report) -> dict[str, Any]:
    """Everything but the pictures; what could not be measured is null."""
    return {
        "system": report.system,
        "scope": asdict(report.scope),
        "confidence": _confidence(report.confidence),
        "overall": _period(report.overall)
        | {
            "precision_if_unmarked_is_wrong": _share(report.cautious),
            "first": report.first,
            "among_ten": report.among_ten,
        },
        "periods": [_period(period) for period in report.periods],
        "mistakes": {
            "counts": {kind.name.lower(): count for kind, count in report.mistakes.counts.items()},
            "wrong": [_mistake(mistake) for mistake in report.mistakes.wrong],
            "missed": [_mistake(mistake) for mistake in report.mistakes.missed],
        },
        "growth": {"draws": DRAWS, "stages": [asdict(stage) for stage in report.growth]},
    }


def _confidence(confidence: Confidence) -> dict[str, Any]:
    fitted = confidence.calibration
    return {
        "chosen": confidence.chosen,
        "calibrated": fitted.is_calibrated,
        "silent": fitted.is_silent,
        "wished_precision": fitted.precision,
        "threshold": fitted.suggests_from,
        "ece": confidence.error,
        "bins": [asdict(each) for each in confidence.bins],
    }


def _period(period: Period) -> dict[str, Any]:
    return asdict(period) | {"precision": _share(period.precision), "recall": _share(period.recall)}


def _share(share: Share | None) -> dict[str, Any] | None:
    return share._asdict() if share else None


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "kind": mistake.kind.name.lower(),
        "asked": _question(mistake.asked),
        "found": _question(mistake.found),
        "probability": mistake.probability,
        "rank": mistake.rank,
        "suggested": mistake.suggested,
        "reason": mistake.reason,
    }


def _question(question: Question) -> dict[str, str]:
    return {"id": question.id, "title": question.title}
