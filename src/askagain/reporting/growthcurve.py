"""The growth of quality with marks as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from askagain.drawing import FIRST_COLOUR, GREY, SECOND_COLOUR, Point, dot, line, picture, polyline, text
from askagain.reporting.growth import Estimate, Stage

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 40, 60, 56
_TICKS: Final = 5


def growth_curve(title: str, stages: Sequence[Stage]) -> str:
    """MAP and recall over the number of marks, each with the range over the draws; all in percent."""
    middle = WIDTH / 2
    parts = [
        text(middle, 20, title, size=14),
        text(middle, HEIGHT - 10, "marks that were learned from"),
        *_scale(),
        *(
            text(_x(place, len(stages)), HEIGHT - BOTTOM + 18, stage_name(stage))
            for place, stage in enumerate(stages)
        ),
        *_drawn("MAP (%)", [stage.map for stage in stages], SECOND_COLOUR, "start", LEFT),
        *_drawn(
            "recall at the threshold (%)",
            [stage.recall for stage in stages],
            FIRST_COLOUR,
            "end",
            WIDTH - RIGHT,
        ),
    ]
    return picture(WIDTH, HEIGHT, parts)


def stage_name(stage: Stage) -> str:
    """`50`, or `all: 1,234`."""
    return f"all: {stage.marks:,}" if stage.is_all else f"{stage.marks:,}"


def _scale() -> list[str]:
    parts = []
    for tick in range(_TICKS + 1):
        share = tick / _TICKS
        parts.append(line((LEFT, _y(share)), (WIDTH - RIGHT, _y(share)), "#dddddd"))
        parts.append(text(LEFT - 8, _y(share) + 4, f"{100 * share:.0f}", anchor="end", colour=GREY))
    return parts


def _drawn(name: str, estimates: Sequence[Estimate], colour: str, anchor: str, edge: float) -> list[str]:
    places = [_x(place, len(estimates)) for place in range(len(estimates))]
    points: list[Point] = [(x, _y(each.value)) for x, each in zip(places, estimates, strict=True)]
    return [
        text(edge, TOP - 14, name, anchor=anchor, colour=colour),
        *(
            line((x, _y(each.low)), (x, _y(each.high)), colour)
            for x, each in zip(places, estimates, strict=True)
        ),
        polyline(points, colour),
        *(dot(point, colour) for point in points),
    ]


def _x(place: int, stages: int) -> float:
    """Every stage is as far from the next one: each has about ten times as many marks."""
    room = WIDTH - LEFT - RIGHT
    return LEFT + room * (place + 0.5) / stages


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
