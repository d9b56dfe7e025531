"""A learning curve as an SVG picture: two lines over the epochs, each with its own scale."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from askagain.training.checkpoints import Epoch

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 64, 40, 48
_COLOURS = ("#b3541e", "#1e6fb3")
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
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{middle:g}" y="20" text-anchor="middle" font-size="14">{escape(title)}</text>',
        f'<text x="{middle:g}" y="{HEIGHT - 10}" text-anchor="middle">epoch</text>',
        *_epoch_ticks(epochs),
    ]
    for side, line in enumerate(lines):
        if any(value is not None for value in line.values):
            parts += _drawn(line, side, epochs)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _epoch_ticks(epochs: int) -> list[str]:
    step = max(1, -(-epochs // 12))
    return [
        f'<text x="{_x(epoch, epochs):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{epoch}</text>'
        for epoch in range(1, epochs + 1, step)
    ]


def _drawn(line: Line, side: int, epochs: int) -> list[str]:
    there = [(epoch, value) for epoch, value in enumerate(line.values, start=1) if value is not None]
    low, high = min(value for _, value in there), max(value for _, value in there)
    spread = (high - low) or 1.0
    points = [
        (_x(epoch, epochs), HEIGHT - BOTTOM - (value - low) / spread * (HEIGHT - TOP - BOTTOM))
        for epoch, value in there
    ]
    colour, edge = _COLOURS[side], (LEFT, WIDTH - RIGHT)[side]
    anchor, shift = (("end", -8), ("start", 8))[side]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn = [
        f'<line x1="{edge}" y1="{TOP}" x2="{edge}" y2="{HEIGHT - BOTTOM}" stroke="{colour}"/>',
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points),
        f'<text x="{edge}" y="{TOP - 8}" text-anchor="{("start", "end")[side]}" fill="{colour}">'
        f"{escape(line.name)}</text>",
    ]
    for tick in range(_TICKS):
        value = low + spread * tick / (_TICKS - 1)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * tick / (_TICKS - 1)
        drawn.append(
            f'<text x="{edge + shift}" y="{y + 4:.1f}" text-anchor="{anchor}" fill="{colour}">'
            f"{value:.4g}</text>"
        )
    return drawn


def _x(epoch: int, epochs: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (epoch - 1) / max(1, epochs - 1)
