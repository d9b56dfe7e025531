"""The report on held-out pairs."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from scored_pairs import DEFAULT, drawn_pairs

from askagain.calibration.calibration import SILENCE
from askagain.calibration.fitting import fit_calibration
from askagain.calibration.measures import brier_score, expected_calibration_error
from askagain.calibration.summary import CalibrationReport, report_of

CALIBRATION = fit_calibration(*drawn_pairs(3000), default=DEFAULT, precision=0.8)
SCORES, LABELS = drawn_pairs(2000, seed=1)


def report(threshold: float = CALIBRATION.threshold) -> CalibrationReport:
    return report_of(replace(CALIBRATION, threshold=threshold), SCORES, LABELS)


def test_the_figures_are_those_of_the_held_out_pairs() -> None:
    found = report()
    probabilities = CALIBRATION.probabilities(SCORES)
    assert (found.pairs, found.duplicates) == (2000, LABELS.sum())
    assert found.calibration_error == expected_calibration_error(probabilities, LABELS)
    assert found.brier_score == brier_score(probabilities, LABELS)


def test_precision_and_recall_are_those_at_the_threshold() -> None:
    shown = CALIBRATION.probabilities(SCORES) >= CALIBRATION.threshold
    point = report().at_threshold
    assert point.shown == shown.sum()
    assert point.precision == pytest.approx(LABELS[shown].mean())
    assert point.recall == pytest.approx((LABELS & shown).sum() / LABELS.sum())


def test_a_fitted_calibration_has_a_small_error() -> None:
    assert report().calibration_error < 0.03


def test_the_table_is_plain_json() -> None:
    table = json.loads(json.dumps(report().to_table(), allow_nan=False))
    assert table["method"] == "isotonic"
    assert table["fitted_on"] == {"pairs": 3000, "duplicates": CALIBRATION.duplicates}
    assert table["measured_on"]["pairs"] == 2000
    assert table["wished_precision"] == 0.8
    assert {"ece", "brier", "average_precision", "threshold", "precision", "recall"} < table.keys()
    assert sum(each["count"] for each in table["bins"]) == 2000


def test_where_nothing_is_shown_the_table_has_no_precision() -> None:
    table = report(SILENCE).to_table()
    assert (table["precision"], table["recall"], table["shown"]) == (None, 0.0, 0)


def test_the_card_says_what_it_was_fitted_on_and_what_it_reached() -> None:
    found = report()
    origin, figures, threshold = found.to_markdown()
    assert origin.startswith("- probabilities: isotonic regression on 3,000 pairs, ")
    assert f"expected calibration error {found.calibration_error:.4f}" in figures
    assert threshold.startswith(f"- threshold for a precision of 0.8: {CALIBRATION.threshold:.4f}; it shows ")


def test_the_card_says_when_the_precision_was_not_reached() -> None:
    assert "not reached on the marks at hand" in report(SILENCE).to_markdown()[2]


def test_the_card_says_when_no_pair_reaches_the_threshold() -> None:
    assert "none of these pairs reaches" in report(1 - 1e-9).to_markdown()[2]


def test_the_card_says_when_there_is_no_calibration() -> None:
    assert "not calibrated" in report_of(DEFAULT, SCORES, LABELS).to_markdown()[0]


def test_both_pictures_have_the_title() -> None:
    pictures = report().pictures("best")
    assert set(pictures) == {"reliability.svg", "precision-recall.svg"}
    for picture in pictures.values():
        assert "best: " in "".join(ElementTree.fromstring(picture).itertext())


def test_scores_that_are_not_finite_are_counted_as_well() -> None:
    assert report_of(CALIBRATION, [np.nan, 5.0], [True, True]).at_threshold.recall == 0.5
