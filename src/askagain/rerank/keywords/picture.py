"""The weighted graphs of a question's sub-sentences as an SVG picture: words in rings below each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from typing import Final, NamedTuple

from askagain import drawing
from askagain.drawing import FIRST_COLOUR, GREY, SECOND_COLOUR, dot, safe, text
from askagain.rerank.keywords.keywords import Keywords, RankedSubSentence, RankedWord

WIDTH: Final = 720
MOST_DRAWN: Final = 20
EDGES_PER_WORD: Final = 3
"""Only the strongest ones are drawn: all of them would hide each other."""

_HALF_WIDTH: Final = 130
_LINE_HEIGHT: Final = 32
_TITLE_HEIGHT: Final = 40
_ROOM_BELOW: Final = 20
_LONGEST_WORD: Final = 24
_LONGEST_TITLE: Final = 80
_KEYWORD, _OTHER, _EDGE = FIRST_COLOUR, GREY, SECOND_COLOUR


class _Spot(NamedTuple):
    """Where a word is drawn."""

    x: float
    y: float
    is_right: bool


def picture(keywords: Keywords) -> str:
    """Keywords are coloured and bold; a dot grows with its word's score, a line with its edge's weight."""
    drawn = [part for part in keywords.sub_sentences if part.words][:MOST_DRAWN]
    body: list[str] = []
    height = 0.0
    for part in drawn:
        body += _panel(part, height)
        height += _panel_height(part)
    left_out = sum(bool(part.words) for part in keywords.sub_sentences) - len(drawn)
    height += _TITLE_HEIGHT
    body.append(text(WIDTH / 2, height - 16, _closing_line(keywords, left_out)))
    return drawing.picture(WIDTH, height, body, size=13)


def _closing_line(keywords: Keywords, left_out: int) -> str:
    line = f"keywords: {' '.join(keywords.words)}" if keywords.words else "no keywords"
    rest = f" ({left_out} more sub-sentences)" if left_out else ""
    return _shortened(line, _LONGEST_TITLE - len(rest)) + rest


def _panel_height(part: RankedSubSentence) -> float:
    return _TITLE_HEIGHT + 2 * _half_height(part) + _ROOM_BELOW


def _half_height(part: RankedSubSentence) -> float:
    """Each side of the ellipse has a line of text for each of its words."""
    return _LINE_HEIGHT * ceil(len(part.words) / 2) / 2


def _panel(part: RankedSubSentence, top: float) -> list[str]:
    spots = _ellipse(len(part.words), top + _TITLE_HEIGHT + _half_height(part), _half_height(part))
    title = text(WIDTH / 2, top + 28, _shortened(part.text, _LONGEST_TITLE), size=15)
    words = [_word(word, spot) for word, spot in zip(part.words, spots, strict=True)]
    return [title, *_edges(part, spots), *words]


def _ellipse(count: int, middle: float, half_height: float) -> list[_Spot]:
    """Clockwise, in text order: down on the right, up on the left, at equal steps of height."""
    on_the_right = ceil(count / 2)
    spots = []
    for place in range(count):
        is_right = place < on_the_right
        steps = on_the_right if is_right else count - on_the_right
        step = place if is_right else count - 1 - place
        height = (2 * step + 1) / steps - 1
        x = _HALF_WIDTH * sqrt(1 - 0.8 * height**2)
        spots.append(_Spot(WIDTH / 2 + (x if is_right else -x), middle + height * half_height, is_right))
    return spots


def _edges(part: RankedSubSentence, spots: Sequence[_Spot]) -> Iterator[str]:
    weights = part.graph.weights
    size = len(spots)
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size) if weights[i, j] > 0]
    strongest = sorted(pairs, key=lambda pair: -weights[pair])[: EDGES_PER_WORD * size]
    for i, j in reversed(strongest):
        share = sqrt(weights[i, j] / weights[strongest[0]])
        told = f"{part.words[i].word} – {part.words[j].word}: {weights[i, j]:.3g}"
        yield (
            f'<line x1="{spots[i].x:.1f}" y1="{spots[i].y:.1f}" x2="{spots[j].x:.1f}" y2="{spots[j].y:.1f}" '
            f'stroke="{_EDGE}" stroke-width="{0.5 + 4 * share:.2f}" stroke-opacity="{0.1 + 0.6 * share:.2f}">'
            f"<title>{safe(told)}</title></line>"
        )


def _word(word: RankedWord, spot: _Spot) -> str:
    """The label stands outside, beside its dot."""
    colour = _KEYWORD if word.is_keyword else _OTHER
    radius = 3 + 2 * sqrt(word.score)
    anchor, x = ("start", spot.x + radius + 6) if spot.is_right else ("end", spot.x - radius - 6)
    label = f"{_shortened(word.word, _LONGEST_WORD)} {word.score:.2f}"
    beside = text(x, spot.y + 4, label, anchor=anchor, colour=colour, bold=word.is_keyword)
    return dot((spot.x, spot.y), colour, radius=radius) + beside


def _shortened(content: str, longest: int) -> str:
    return content if len(content) <= longest else content[: longest - 1] + "…"
