"""The parts of SVG pictures: texts that draw the same lines again for the same values, on white."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final

FIRST_COLOUR: Final = "#b3541e"
SECOND_COLOUR: Final = "#1e6fb3"
GREY: Final = "#555555"

Point = tuple[float, float]

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def picture(width: float, height: float, parts: Iterable[str], *, size: int = 12) -> str:
    """A whole picture; the white ground keeps black text readable on dark pages."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'font-family="sans-serif" font-size="{size}">',
            f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(
    x: float,
    y: float,
    content: str,
    *,
    anchor: str = "middle",
    colour: str = "black",
    size: int | None = None,
    bold: bool = False,
) -> str:
    """One line of text; without a size it has that of the picture."""
    own_size = "" if size is None else f' font-size="{size}"'
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{own_size}{weight}>'
        f"{safe(content)}</text>"
    )


def line(start: Point, end: Point, colour: str, *, dashes: str = "") -> str:
    """A straight line, with dashes such as `4 3`."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashed}/>'


def polyline(points: Iterable[Point], colour: str) -> str:
    """A line through all points."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def dot(place: Point, colour: str, *, radius: float = 3) -> str:
    """A filled circle."""
    x, y = place
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}"/>'


def bar(corner: Point, width: float, height: float, colour: str) -> str:
    """A filled rectangle, from its upper left corner."""
    x, y = corner
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'


def safe(content: str) -> str:
    """Text that is never markup, without the characters that XML cannot have at all."""
    return escape(_NO_XML.sub("\ufffd", content))
