"""Pictures of figures as SVG inside a page: estimates with their intervals, and ratios around 1.

Positions across are shares of the width, so that a picture fits a phone without shrinking its text. Numbers
are decimals: a picture says them with the digits that they came with. Colours are in STYLE, for the page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

STYLE = """
.chart { display: block; width: 100%; max-width: 44rem; margin: 1rem 0; font-size: 12px; fill: var(--text); }
.chart text { paint-order: stroke; stroke: var(--page); stroke-width: 3; }
.chart .head { font-weight: 600; }
.chart .key, .chart .value, .chart .tick { fill: var(--muted); }
.chart .value { text-anchor: end; }
.chart .tick { text-anchor: middle; }
.chart .grid { stroke: var(--line); }
.chart .one { stroke: var(--text); }
.chart .whisker { stroke: var(--ours); stroke-width: 3; opacity: 0.5; }
.chart .ours { fill: var(--ours); }
.chart .worse { fill: var(--other); }
.chart .published { fill: var(--page); stroke: var(--other); stroke-width: 2; }
"""

_HEAD, _ROW, _FOOT = 42, 34, 22
_LEFT, _RIGHT = 4.0, 96.0
_LONGEST_NAME = 60
_MOST_TICKS = 10


@dataclass(frozen=True)
class Estimate:
    """A named figure with its interval."""

    name: str
    value: Decimal
    low: Decimal
    high: Decimal


@dataclass(frozen=True)
class Scale:
    """Where a value is across the picture, in percent of its width."""

    low: float
    high: float
    ticks: tuple[float, ...]
    logarithmic: bool = False

    def at(self, value: float | Decimal) -> str:
        """The position as an SVG length."""
        low, high, here = map(math.log if self.logarithmic else float, (self.low, self.high, value))
        return f"{_LEFT + (_RIGHT - _LEFT) * (here - low) / (high - low):.2f}%"


def linear_scale(values: Sequence[Decimal]) -> Scale:
    """From the round number below all values to the one above them."""
    least, most = float(min(values)), float(max(values))
    step = _round_step((most - least or 1.0) / 5)
    first, last = math.floor(least / step), math.ceil(most / step)
    last = max(last, first + 1)
    return Scale(first * step, last * step, tuple(n * step for n in range(first, last + 1)))


def logarithmic_scale(values: Sequence[Decimal]) -> Scale:
    """From the 1, 2 or 5 (times a power of ten) below all values to the one above them."""
    least, most = float(min(values)), float(max(values))
    powers = [10.0**n for n in range(math.floor(math.log10(least)) - 1, math.ceil(math.log10(most)) + 2)]
    steps = [power * factor for power in powers for factor in (1, 2, 5)]
    low = max(step for step in steps if step <= least)
    high = min(step for step in steps if step >= most and step > low)
    ticks = [step for step in steps if low <= step <= high]
    if len(ticks) > _MOST_TICKS:
        ticks = [power for power in powers if low <= power <= high]
    return Scale(low, high, tuple(ticks), logarithmic=True)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)


def interval_chart(title: str, estimates: Sequence[Estimate], published: Mapping[str, Decimal]) -> str:
    """A dot on its interval for each estimate; a square for each published figure, on the row of its name.

    Published figures of other names have rows of their own at the end.
    """
    ends = [end for estimate in estimates for end in (estimate.value, estimate.low, estimate.high)]
    scale = linear_scale([*ends, *published.values()])
    rows = [_estimate_row(estimate, published.get(estimate.name), scale) for estimate in estimates]
    others = published.keys() - {estimate.name for estimate in estimates}
    rows += [_published_row(name, published[name], scale) for name in published if name in others]
    key = "● ours, with 95% interval" + " · □ published" * bool(published)
    return _picture(title, key, rows, scale)


def ratio_chart(title: str, ratios: Sequence[tuple[str, Decimal]]) -> str:
    """A bar from 1 to each ratio, on a logarithmic scale: to the right where ours is better."""
    scale = logarithmic_scale([Decimal(1), *(ratio for _, ratio in ratios)])
    rows = [_ratio_row(name, ratio, scale) for name, ratio in ratios]
    return _picture(title, "right of 1: askagain is better", rows, scale, marked=1)


def _estimate_row(estimate: Estimate, published: Decimal | None, scale: Scale) -> list[str]:
    there = f", published {published}" if published is not None else ""
    interval = f"[{estimate.low}, {estimate.high}]"
    low, high, value = (scale.at(end) for end in (estimate.low, estimate.high, estimate.value))
    return [
        f"<title>{escape(estimate.name)}: {estimate.value} {interval}{there}</title>",
        *_texts(estimate.name, f"{estimate.value}{there}"),
        f'<line class="whisker" x1="{low}" x2="{high}" y1="22" y2="22"/>',
        *(_square(published, scale) if published is not None else []),
        f'<circle class="ours" cx="{value}" cy="22" r="4.5"/>',
    ]


def _published_row(name: str, published: Decimal, scale: Scale) -> list[str]:
    shown = f"published {published}"
    return [f"<title>{escape(name)}: {shown}</title>", *_texts(name, shown), *_square(published, scale)]


def _ratio_row(name: str, ratio: Decimal, scale: Scale) -> list[str]:
    kind = "ours" if ratio >= 1 else "worse"
    one, end = (float(scale.at(value).rstrip("%")) for value in (1, ratio))
    bar = f'x="{min(one, end):.2f}%" width="{abs(end - one):.2f}%" y="18" height="9"'
    return [
        f"<title>{escape(name)}: {ratio}</title>",
        *_texts(name, str(ratio)),
        f'<rect class="{kind}" {bar}/>',
    ]


def _square(value: Decimal, scale: Scale) -> list[str]:
    place = f'x="{scale.at(value)}" y="18" width="8" height="8"'
    return [f'<rect class="published" {place} transform="translate(-4 0)"/>']


def _texts(name: str, value: str) -> list[str]:
    short = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    return [
        f'<text class="name" x="0" y="12">{escape(short)}</text>',
        f'<text class="value" x="100%" y="12">{value}</text>',
    ]


def _picture(
    title: str, key: str, rows: Sequence[Sequence[str]], scale: Scale, marked: float | None = None
) -> str:
    bottom = _HEAD + _ROW * len(rows)
    parts = [
        f'<svg class="chart" role="img" aria-label="{escape(title)}" height="{bottom + _FOOT}">',
        f'<text class="head" x="0" y="14">{escape(title)}</text>',
        f'<text class="key" x="0" y="30">{escape(key)}</text>',
    ]
    for tick in scale.ticks:
        kind, x = ("one" if tick == marked else "grid"), scale.at(tick)
        parts.append(f'<line class="{kind}" x1="{x}" x2="{x}" y1="{_HEAD}" y2="{bottom + 4}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 17}">{tick:g}</text>')
    for number, row in enumerate(rows):
        parts += [f'<g transform="translate(0 {_HEAD + _ROW * number})">', *row, "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"
