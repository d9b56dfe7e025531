"""How a calibration does on pairs that it was not fitted on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askagain.calibration.calibration import Calibration
from askagain.calibration.measures import (
    ReliabilityBin,
    average_precision,
    brier_score,
    expected_calibration_error,
    reliability_bins,
)
from askagain.calibration.pictures import precision_recall_picture, reliability_diagram
from askagain.calibration.thresholds import OperatingPoint, PrecisionRecallCurve, precision_recall
from askagain.wording import counted


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Figures and curves of held-out pairs; `at_threshold` is what would be shown of them."""

    calibration: Calibration
    pairs: int
    duplicates: int
    calibration_error: float
    brier_score: float
    average_precision: float
    at_threshold: OperatingPoint
    bins: tuple[ReliabilityBin, ...]
    curve: PrecisionRecallCurve

    def to_table(self) -> dict[str, Any]:
        """For JSON; where nothing is shown, its precision is null."""
        fitted = self.calibration
        return {
            "method": fitted.method,
            "fitted_on": {"pairs": fitted.examples, "duplicates": fitted.duplicates},
            "measured_on": {"pairs": self.pairs, "duplicates": self.duplicates},
            "ece": self.calibration_error,
            "brier": self.brier_score,
            "average_precision": self.average_precision,
            "wished_precision": fitted.precision,
            "threshold": fitted.threshold,
            "precision": self.at_threshold.precision,
            "recall": self.at_threshold.recall,
            "shown": self.at_threshold.shown,
            "bins": [asdict(each) for each in self.bins],
        }

    def to_markdown(self) -> list[str]:
        """Lines of a list, for the card of a model."""
        fitted = self.calibration
        return [
            f"- probabilities: {origin_of(fitted)}",
            f"- measured on {_of_which(self.pairs, self.duplicates)}: "
            f"expected calibration error {self.calibration_error:.4f}, Brier score {self.brier_score:.4f}, "
            f"average precision {self.average_precision:.4f}",
            f"- threshold for a precision of {fitted.precision:g}: {self._threshold()}",
        ]

    def pictures(self, title: str) -> dict[str, str]:
        """SVG texts by their file names."""
        fitted = self.calibration
        return {
            "reliability.svg": reliability_diagram(f"{title}: reliability", self.bins),
            "precision-recall.svg": precision_recall_picture(
                f"{title}: precision and recall",
                self.curve,
                threshold=fitted.threshold,
                precision=fitted.precision,
            ),
        }

    def _threshold(self) -> str:
        if self.calibration.is_silent:
            return "not reached on the marks at hand, so nothing is shown unless asked for"
        threshold, precision, recall, shown = self.at_threshold
        if precision is None:
            return f"{threshold:.4f}, which none of these pairs reaches"
        figures = f"precision {precision:.4f}, recall {recall:.4f}"
        return f"{threshold:.4f}; it shows {counted(shown, 'pair')}: {figures}"


def report_of(calibration: Calibration, scores: ArrayLike, labels: ArrayLike) -> CalibrationReport:
    """The report on held-out pairs; a score that is not finite counts with the lowest probability."""
    probabilities = calibration.probabilities(scores)
    truth = np.asarray(labels, dtype=bool)
    curve = precision_recall(probabilities, truth)
    return CalibrationReport(
        calibration=calibration,
        pairs=len(truth),
        duplicates=int(truth.sum()),
        calibration_error=expected_calibration_error(probabilities, truth),
        brier_score=brier_score(probabilities, truth),
        average_precision=average_precision(curve),
        at_threshold=curve.at(calibration.threshold),
        bins=reliability_bins(probabilities, truth),
        curve=curve,
    )


def origin_of(fitted: Calibration) -> str:
    """Where probabilities come from, in words."""
    if not fitted.is_calibrated:
        return "not calibrated, since there are too few marks; they are stated defaults"
    return f"{fitted.method} regression on {_of_which(fitted.examples, fitted.duplicates)}"


def _of_which(pairs: int, duplicates: int) -> str:
    return f"{counted(pairs, 'pair')}, {duplicates:,} of them duplicates"
