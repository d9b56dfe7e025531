"""What the pictures of a calibration show."""

from xml.etree import ElementTree

import numpy as np
import pytest
from scored_pairs import drawn_pairs, true_probabilities

from askagain.calibration.calibration import SILENCE
from askagain.calibration.measures import reliability_bins
from askagain.calibration.pictures import (
    LEFT,
    MOST_POINTS,
    SIDE,
    TOP,
    precision_recall_picture,
    reliability_diagram,
)
from askagain.calibration.thresholds import precision_recall

PROBABILITIES = [0.05] * 1200 + [0.55] * 4 + [0.95] * 10
LABELS = [False] * 1200 + [True, False] * 2 + [True] * 10


def parts(picture: str, kind: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(picture).iter() if each.tag.endswith("}" + kind)]


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in parts(picture, "text")]


def place(dot: ElementTree.Element) -> tuple[float, float]:
    return float(dot.attrib["cx"]), float(dot.attrib["cy"])


def curve_picture(threshold: float) -> str:
    curve = precision_recall(PROBABILITIES, LABELS)
    return precision_recall_picture("title", curve, threshold=threshold, precision=0.9)


def test_each_bin_is_a_point_at_its_probability_and_frequency() -> None:
    dots = parts(reliability_diagram("title", reliability_bins(PROBABILITIES, LABELS)), "circle")
    expected = [(0.05, 0.0), (0.55, 0.5), (0.95, 1.0)]
    assert [place(dot) for dot in dots] == [
        (pytest.approx(LEFT + SIDE * x), pytest.approx(TOP + SIDE * (1 - y))) for x, y in expected
    ]


def test_each_bin_has_its_interval() -> None:
    bins = reliability_bins(PROBABILITIES, LABELS)
    upright = [
        line
        for line in parts(reliability_diagram("title", bins), "line")
        if line.attrib["x1"] == line.attrib["x2"] != f"{LEFT:.1f}"
    ]
    assert [float(line.attrib["y1"]) for line in upright] == pytest.approx(
        [TOP + SIDE * (1 - each.low) for each in bins], abs=0.1
    )
    assert [float(line.attrib["y2"]) for line in upright] == pytest.approx(
        [TOP + SIDE * (1 - each.high) for each in bins], abs=0.1
    )


def test_the_pairs_of_each_bin_are_counted() -> None:
    shown = texts(reliability_diagram("title", reliability_bins(PROBABILITIES, LABELS)))
    assert [text for text in shown if text in ("1.2k", "4", "10")] == ["1.2k", "4", "10"]


@pytest.mark.parametrize(
    ("count", "shown"),
    [(999, "999"), (1000, "1k"), (35_499, "35k"), (1_540_000, "1.5M"), (25_000_000, "25M")],
)
def test_large_counts_are_short(count: int, shown: str) -> None:
    [each] = reliability_bins([0.5], [True])
    grown = type(each)(each.start, each.end, each.probability, each.frequency, each.low, each.high, count)
    assert shown in texts(reliability_diagram("title", [grown]))


def test_the_threshold_is_a_point_on_the_curve_with_its_figures() -> None:
    picture = curve_picture(0.55)
    [dot] = parts(picture, "circle")
    assert place(dot) == (
        pytest.approx(LEFT + SIDE),
        pytest.approx(TOP + SIDE * (1 - 12 / 14), abs=0.1),
    )
    assert texts(picture)[-1] == "from 0.55 on: precision 0.86, recall 1.00, 14 of 1,214 pairs"


def test_silence_is_said() -> None:
    picture = curve_picture(SILENCE)
    assert parts(picture, "circle") == []
    assert texts(picture)[-1] == "nothing is shown: the wished precision was not reached"


def test_a_threshold_that_no_pair_reaches_is_said() -> None:
    assert texts(curve_picture(0.99))[-1] == "no pair has a probability of 0.99 or more"


def test_a_curve_of_many_pairs_is_thinned() -> None:
    scores, labels = drawn_pairs(50_000)
    curve = precision_recall(true_probabilities(scores), labels)
    [line] = parts(precision_recall_picture("", curve, threshold=0.5, precision=0.9), "polyline")
    points = line.attrib["points"].split()
    assert 300 < len(points) <= MOST_POINTS + 2
    assert points[-1].startswith(f"{LEFT + SIDE:.1f},")


def test_without_pairs_there_are_empty_pictures() -> None:
    curve = precision_recall([], [])
    assert parts(reliability_diagram("title", ()), "circle") == []
    assert parts(precision_recall_picture("title", curve, threshold=0.9, precision=0.9), "circle") == []


def test_the_same_values_give_the_same_text() -> None:
    shuffled = np.random.default_rng(0).permutation(len(LABELS))
    again = reliability_bins(np.array(PROBABILITIES)[shuffled], np.array(LABELS)[shuffled])
    assert reliability_diagram("title", again) == reliability_diagram(
        "title", reliability_bins(PROBABILITIES, LABELS)
    )


def test_a_title_is_never_markup() -> None:
    assert texts(reliability_diagram("<b>&\x00", ()))[0] == "<b>&\ufffd"
