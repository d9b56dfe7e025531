"""A learning curve as an SVG picture: two lines over the epochs, each with its own scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from askagain.drawing import FIRST_COLOUR, SECOND_COLOUR, dot, line, picture, polyline, text
from askagain.training.checkpoints import Epoch

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 64, 40, 48
_COLOURS = (FIRST_COLOUR, SECOND_COLOUR)
_TICKS = 5


class Line(NamedTuple):
    """A named value per epoch; None where it was not measured."""

    name: str
    values: list[float | None]


def learning_curve(title: str, epochs: Sequence[Epoch]) -> str:
    """Loss (or perplexity, where it was measured) on the left scale, dev MRR on the right one."""
    perplexity = any(epoch.perplexity is not None for epoch in epochs)
    left = (
        Line("perplexity of held-out titles", [epoch.perplexity for epoch in epochs])
        if perplexity
        else Line("loss", [epoch.loss for epoch in epochs])
    )
    right = Line("dev MRR (%)", [epoch.dev for epoch in epochs])
    return _picture(title, [left, right], len(epochs))


def _picture(title: str, lines: Sequence[Line], epochs: int) -> str:
    middle = WIDTH / 2
    parts = [
        text(middle, 20, title, size=14),
        text(middle, HEIGHT - 10, "epoch"),
        *_epoch_ticks(epochs),
    ]
    for side, values in enumerate(lines):
        if any(value is not None for value in values.values):
            parts += _drawn(values, side, epochs)
    return picture(WIDTH, HEIGHT, parts)


def _epoch_ticks(epochs: int) -> list[str]:
    step = max(1, -(-epochs // 12))
    return [text(_x(epoch, epochs), HEIGHT - BOTTOM + 18, str(epoch)) for epoch in range(1, epochs + 1, step)]


def _drawn(values: Line, side: int, epochs: int) -> list[str]:
    there = [(epoch, value) for epoch, value in enumerate(values.values, start=1) if value is not None]
    low, high = min(value for _, value in there), max(value for _, value in there)
    spread = (high - low) or 1.0
    points = [
        (_x(epoch, epochs), HEIGHT - BOTTOM - (value - low) / spread * (HEIGHT - TOP - BOTTOM))
        for epoch, value in there
    ]
    colour, edge = _COLOURS[side], (LEFT, WIDTH - RIGHT)[side]
    anchor, shift = (("end", -8), ("start", 8))[side]
    drawn = [
        line((edge, TOP), (edge, HEIGHT - BOTTOM), colour),
        polyline(points, colour),
        *(dot(point, colour) for point in points),
        text(edge, TOP - 8, values.name, anchor=("start", "end")[side], colour=colour),
    ]
    for tick in range(_TICKS):
        value = low + spread * tick / (_TICKS - 1)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * tick / (_TICKS - 1)
        drawn.append(text(edge + shift, y + 4, f"{value:.4g}", anchor=anchor, colour=colour))
    return drawn


def _x(epoch: int, epochs: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (epoch - 1) / max(1, epochs - 1)
