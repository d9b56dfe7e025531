"""A report as one HTML page that needs nothing else and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from askagain.calibration.pictures import precision_recall_picture, reliability_diagram
from askagain.drawing import safe
from askagain.question import Question
from askagain.reporting.growthcurve import growth_curve
from askagain.reporting.mistakes import Mistake
from askagain.reporting.report import Report
from askagain.reporting.telling import (
    Grid,
    counts_grid,
    growth_grid,
    growth_note,
    mistake_text,
    periods_grid,
    summary,
)
from askagain.text import clean

_LONGEST_TITLE: Final = 300
_LONGEST_BODY: Final = 600

_STYLE: Final = """
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1f2328; --muted: #59636e; --line: #d8dee4; --shade: #f5f7f9;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #14171b; --text: #e3e6ea; --muted: #9aa4af; --line: #353b43; --shade: #1d2127; }
}
html { font: 16px/1.55 system-ui, sans-serif; background: var(--page); color: var(--text); }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; }
h2 { margin-top: 2.5rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
p { max-width: 48rem; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.7rem; border-bottom: 1px solid var(--line); }
th, td { text-align: left; white-space: nowrap; }
th, tr:nth-child(even) td { background: var(--shade); }
td:not(:first-child), th:not(:first-child) { text-align: right; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { flex: 1 1 22rem; max-width: 40rem; margin: 0; }
svg { width: 100%; height: auto; border-radius: 6px; }
.mistakes { padding-left: 1.5rem; }
.mistakes li { margin: 1rem 0; }
.mistakes p { margin: 0.1rem 0; }
.muted, summary, .body { color: var(--muted); font-size: 0.9rem; }
.body { white-space: pre-line; }
"""

# The page may load and run nothing, whatever it says.
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def report_page(report: Report) -> str:
    """The whole page."""
    title = safe(f"{report.system} on the marks of {report.scope.archive}")
    parts = [
        f"<h1>{title}</h1>",
        *_paragraphs(summary(report)),
        "<h2>Over time</h2>",
        *_paragraphs(["By the month of the mark; 95% intervals. Precision is over marked pairs."]),
        _table(periods_grid(report)),
        "<h2>How far its probabilities can be trusted</h2>",
        *_paragraphs(["Over all candidates of lists that were left out, marked or not."]),
        _pictures(report),
        "<h2>How quality grows with marks</h2>",
        *_paragraphs([growth_note(report)]),
        *_growth(report),
        "<h2>Mistakes</h2>",
        _table(counts_grid(report)),
        *_mistakes("Wrong candidates that it takes to be likely", report.mistakes.wrong),
        *_mistakes("Marked duplicates that it would have missed", report.mistakes.missed),
    ]
    return _PAGE.format(title=title, style=_STYLE, body="\n".join(parts))


def _paragraphs(sentences: Iterable[str]) -> list[str]:
    return [f"<p>{safe(sentence)}</p>" for sentence in sentences]


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{safe(name)}</th>" for name in grid.head)
    rows = "\n".join(f"<tr>{''.join(f'<td>{safe(cell)}</td>' for cell in row)}</tr>" for row in grid.rows)
    return f'<div class="table" tabindex="0"><table>\n<tr>{head}</tr>\n{rows}\n</table></div>'


def _pictures(report: Report) -> str:
    confidence = report.confidence
    fitted = confidence.calibration
    curve = precision_recall_picture(
        "precision and recall", confidence.curve, threshold=fitted.suggests_from, precision=fitted.precision
    )
    figures = (reliability_diagram("reliability", confidence.bins), curve)
    return f'<div class="pictures">{"".join(map(_figure, figures))}</div>'


def _growth(report: Report) -> list[str]:
    if not report.growth:
        return []
    return [
        _figure(growth_curve(f"{report.system}: learning curve", report.growth)),
        _table(growth_grid(report)),
    ]


def _figure(picture: str) -> str:
    return f"<figure>{picture}</figure>"


def _mistakes(title: str, mistakes: Sequence[Mistake]) -> list[str]:
    shown = [_mistake(mistake) for mistake in mistakes] or ["<li>none</li>"]
    return [f"<h3>{safe(title)}</h3>", '<ol class="mistakes">', *shown, "</ol>"]


def _mistake(mistake: Mistake) -> str:
    lines = [
        f'<p class="muted">{safe(mistake_text(mistake))}</p>',
        _question("asked", mistake.asked),
        _question("found" if mistake.rank else "not found", mistake.found),
        f'<p class="muted">{_foreign(mistake.reason)}</p>',
    ]
    return f"<li>{''.join(lines)}</li>"


def _question(role: str, question: Question) -> str:
    body = _shortened(clean(question.body), _LONGEST_BODY)
    title = (
        f'<p><span class="muted">{role}:</span> {_foreign(_shortened(question.title, _LONGEST_TITLE))} '
        f"{_foreign(question.id, 'muted')}</p>"
    )
    if not body:
        return title
    return f'{title}<details><summary>text</summary><p class="body">{_foreign(body)}</p></details>'


def _foreign(text: str, name: str = "") -> str:
    """Text of a forum: isolated, so that it cannot turn around what stands beside it."""
    return f'<bdi class="{name}">{safe(text)}</bdi>' if name else f"<bdi>{safe(text)}</bdi>"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
