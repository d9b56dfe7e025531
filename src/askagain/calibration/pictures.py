"""Reliability diagrams and precision-recall curves as SVG pictures."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Final

import numpy as np

from askagain.calibration.calibration import SILENCE
from askagain.calibration.measures import ReliabilityBin
from askagain.calibration.thresholds import PrecisionRecallCurve
from askagain.drawing import FIRST_COLOUR, GREY, SECOND_COLOUR, Point, bar, dot, line, picture, polyline, text

WIDTH: Final = 460
LEFT, TOP, SIDE = 64, 44, 360
MOST_POINTS: Final = 360
"""Of a curve: one for each step of recall that can be seen."""

_BOTTOM: Final = TOP + SIDE
_TICKS: Final = 5
_ROOM_BELOW: Final = 52
_BARS_HEIGHT: Final = 56
_BARS_ROOM: Final = 44
_BAR_GAP: Final = 3


def reliability_diagram(title: str, bins: Sequence[ReliabilityBin]) -> str:
    """Observed frequencies over probabilities, with 95% intervals; trustworthy ones are on the diagonal."""
    parts = [
        *_axes(title, "probability that was said", "share of duplicates"),
        line(_place(0, 0), _place(1, 1), GREY, dashes="4 3"),
        *(_interval(each) for each in bins),
        *(dot(_place(each.probability, each.frequency), SECOND_COLOUR, radius=4) for each in bins),
        *_histogram(bins),
    ]
    return picture(WIDTH, _BOTTOM + _ROOM_BELOW + _BARS_ROOM + _BARS_HEIGHT, parts)


def precision_recall_picture(
    title: str, curve: PrecisionRecallCurve, *, threshold: float, precision: float
) -> str:
    """The curve with its threshold, and the wished precision as a dashed line."""
    parts = [
        *_axes(title, "recall", "precision"),
        line(_place(0, precision), _place(1, precision), GREY, dashes="4 3"),
        text(LEFT + 4, _place(0, precision)[1] - 5, f"wished: {precision:.2f}", anchor="start", colour=GREY),
        polyline(_thinned(curve), SECOND_COLOUR),
        *_marked(curve, threshold),
    ]
    return picture(WIDTH, _BOTTOM + _ROOM_BELOW + 24, parts)


def _place(x: float, y: float) -> Point:
    """Where shares between 0 and 1 are in the square."""
    return LEFT + SIDE * x, _BOTTOM - SIDE * y


def _axes(title: str, below: str, beside: str) -> list[str]:
    parts = [
        text(WIDTH / 2, 20, title, size=14),
        text(LEFT + SIDE / 2, _BOTTOM + 36, below),
        text(LEFT, TOP - 8, beside, anchor="start"),
        line(_place(0, 0), _place(1, 0), "black"),
        line(_place(0, 0), _place(0, 1), "black"),
    ]
    for tick in range(_TICKS + 1):
        share = tick / _TICKS
        along, up = _place(share, 0), _place(0, share)
        parts.append(text(along[0], along[1] + 18, f"{share:.1f}"))
        parts.append(text(up[0] - 8, up[1] + 4, f"{share:.1f}", anchor="end"))
    return parts


def _interval(each: ReliabilityBin) -> str:
    return line(_place(each.probability, each.low), _place(each.probability, each.high), SECOND_COLOUR)


def _histogram(bins: Sequence[ReliabilityBin]) -> list[str]:
    """On a logarithmic scale: most pairs have a low probability, and the few others matter."""
    floor = _BOTTOM + _ROOM_BELOW + _BARS_ROOM + _BARS_HEIGHT - 12
    parts = [text(LEFT, _BOTTOM + _ROOM_BELOW + 12, "pairs (logarithmic scale)", anchor="start")]
    most = max((log10(1 + each.count) for each in bins), default=1.0)
    for each in bins:
        height = _BARS_HEIGHT * log10(1 + each.count) / most
        left, width = LEFT + SIDE * each.start, SIDE * (each.end - each.start)
        parts.append(bar((left + _BAR_GAP, floor - height), width - 2 * _BAR_GAP, height, FIRST_COLOUR))
        parts.append(text(left + width / 2, floor - height - 4, _short(each.count), size=10))
    return parts


def _short(count: int) -> str:
    """`999`, `1.2k`, `35k`, `1.5M`."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:.2g}{name}" if count < 10 * unit else f"{count / unit:.0f}{name}"
    return str(count)


def _thinned(curve: PrecisionRecallCurve) -> list[Point]:
    """The first point, and the last one of each visible step of recall."""
    if not len(curve.recalls):
        return []
    steps = np.floor(curve.recalls * MOST_POINTS)
    chosen = np.union1d([0], np.flatnonzero(np.diff(steps, append=np.inf)))
    return [
        _place(recall, precision)
        for recall, precision in zip(
            curve.recalls[chosen].tolist(), curve.precisions[chosen].tolist(), strict=True
        )
    ]


def _marked(curve: PrecisionRecallCurve, threshold: float) -> list[str]:
    point = curve.at(threshold)
    if threshold >= SILENCE:
        told = "nothing is shown: the wished precision was not reached"
    elif point.precision is None:
        told = f"no pair has a probability of {threshold:.2f} or more"
    else:
        told = (
            f"from {threshold:.2f} on: precision {point.precision:.2f}, recall {point.recall:.2f}, "
            f"{point.shown:,} of {round(float(curve.counts[-1])):,} pairs"
        )
    label = text(WIDTH / 2, _BOTTOM + _ROOM_BELOW + 8, told, colour=FIRST_COLOUR)
    if point.precision is None:
        return [label]
    return [dot(_place(point.recall, point.precision), FIRST_COLOUR, radius=5), label]
