"""The results as one HTML page that needs nothing else: its Markdown, with a chart for each table of figures.

A chart has the numbers of a table as they are printed there. A table that is not understood has none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

import charts
from cases import OURS
from charts import Estimate, interval_chart, ratio_chart

MOST_ROWS = 60
NOT_MEASURED = "–"

_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_ESTIMATE = re.compile(rf"({_NUMBER.pattern}) \[({_NUMBER.pattern}), ({_NUMBER.pattern})\]")
_PUBLISHED = re.compile(r"Published:? ([^:]+): ([^:]+)\.")
_SUPERSCRIPT = re.compile(r"<sup>([A-Za-z]+)</sup>")

_STYLE = """
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1f2328; --muted: #59636e; --line: #d8dee4; --shade: #f5f7f9;
  --ours: #1e6fb3; --other: #b3541e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --text: #e3e6ea; --muted: #9aa4af; --line: #353b43; --shade: #1d2127;
    --ours: #66aef0; --other: #ef9a63;
  }
}
html { font: 16px/1.55 system-ui, sans-serif; background: var(--page); color: var(--text); }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; overflow-wrap: break-word; }
main > p, main > ul, main > ol { max-width: 48rem; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; }
h2 { margin-top: 3rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.5rem; }
a { color: var(--ours); }
.anchor { margin-left: 0.4rem; color: var(--muted); text-decoration: none; opacity: 0.4; }
.anchor:hover, .anchor:focus { opacity: 1; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.85em; background: var(--shade); }
code { padding: 0.1rem 0.3rem; border-radius: 4px; }
pre { overflow-x: auto; padding: 0.8rem; border-radius: 6px; line-height: 1.4; }
pre code { padding: 0; font-size: 1em; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.7rem; border-bottom: 1px solid var(--line); }
th, td { text-align: left; white-space: nowrap; }
th, tr:nth-child(even) td { background: var(--shade); }
td { background: var(--page); }
table:has(th:first-child:empty) :is(th, td):nth-child(2) { position: sticky; left: 0; }
sup { color: var(--muted); line-height: 0; }
nav { font-size: 0.9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.15rem 0; text-decoration: none; }
nav .h2 { margin-top: 0.6rem; font-weight: 600; }
nav .h3 { padding-left: 1rem; }
@media (min-width: 70rem) {
  body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
  main > h1 { margin-top: 0; }
}
"""

# The page may load and run nothing, whatever it says.
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<nav aria-label="Contents">
<ul>
{contents}
</ul>
</nav>
<main>
{body}</main>
</body>
</html>
"""


@dataclass(frozen=True)
class Heading:
    """A heading and the anchor by which it is found."""

    tag: str
    text: str
    anchor: str


def html_report(markdown: str, title: str) -> str:
    """A page with a table of contents; HTML inside the Markdown is shown, not obeyed."""
    parser = _parser()
    tokens = parser.parse(markdown)
    headings = list(_anchored_headings(tokens))
    contents = "\n".join(
        f'<li class="{heading.tag}"><a href="#{heading.anchor}">{escape(heading.text)}</a></li>'
        for heading in headings
        if heading.tag in ("h2", "h3")
    )
    body = parser.renderer.render(list(_with_charts(tokens)), parser.options, {})
    return _PAGE.format(title=escape(title), style=_STYLE + charts.STYLE, contents=contents, body=body)


def _parser() -> MarkdownIt:
    """CommonMark with tables and superscript letters; neither HTML nor images, which a page would fetch."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.inline.ruler.before("autolink", "superscript", _superscript)
    parser.add_render_rule("superscript", _render_superscript)
    return parser


def _superscript(state: StateInline, silent: bool) -> bool:
    found = _SUPERSCRIPT.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.push("superscript", "sup", 0).content = found[1]
    state.pos = found.end()
    return True


def _render_superscript(renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: object) -> str:
    return f"<sup>{escape(tokens[index].content)}</sup>"


def _anchored_headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """The headings; each gets an anchor, and a link to it."""
    taken: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = _plain(inline)
            anchor = _free_anchor(text, taken)
            opening.attrSet("id", anchor)
            link = f'<a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>'
            inline.children = [*(inline.children or []), Token("html_inline", "", 0, content=link)]
            yield Heading(opening.tag, text, anchor)


def _free_anchor(text: str, taken: Counter[str]) -> str:
    anchor = name = re.sub(r"\W+", "-", text.lower()).strip("-") or "section"
    while anchor in taken:
        taken[name] += 1
        anchor = f"{name}-{taken[name]}"
    taken[anchor] = 1
    return anchor


def _plain(inline: Token) -> str:
    """Text without its markup and superscripts."""
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or []
        if child.type in ("text", "code_inline", "softbreak")
    )


def _with_charts(tokens: Sequence[Token]) -> Iterator[Token]:
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            yield _html(_table_chart(tokens, index) + '<div class="table" tabindex="0">\n')
        elif token.type == "fence":
            yield _html("".join(_ratio_charts(token.content)))
        yield token
        if token.type == "table_close":
            yield _html("</div>\n")


def _html(content: str) -> Token:
    return Token("html_block", "", 0, content=content)


def _table_chart(tokens: Sequence[Token], start: int) -> str:
    """A chart of the first column in which every cell is a figure with its interval."""
    end = next(index for index in range(start, len(tokens)) if tokens[index].type == "table_close")
    head, *rows = _cells(tokens[start:end])
    if not any(head) or not 0 < len(rows) <= MOST_ROWS:
        return ""
    names = next(column for column, text in enumerate(head) if text)
    for column in range(names + 1, len(head)):
        found = [_ESTIMATE.fullmatch(row[column]) for row in rows]
        estimates = [
            Estimate(row[names], *map(Decimal, match.groups()))
            for row, match in zip(rows, found, strict=True)
            if match
        ]
        if len(estimates) == len(rows):
            published = _published(_text_below(tokens, end), head[column])
            return interval_chart(head[column], estimates, _spelled_alike(published, estimates))
    return ""


def _cells(tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token))
    return rows


def _text_below(tokens: Sequence[Token], start: int) -> Iterator[str]:
    """The paragraphs from here to the next heading or table."""
    for index in range(start, len(tokens)):
        if tokens[index].type in ("heading_open", "table_open"):
            return
        if tokens[index].type == "inline":
            yield _plain(tokens[index])


def _published(paragraphs: Iterator[str], metric: str) -> dict[str, Decimal]:
    """A metric from "Published MAP / MRR (paper): cnn 57.8 68.0, rcnn 62.6 73.1."; else nothing."""
    without_remarks = (re.sub(r" ?\([^()]*\)", "", paragraph) for paragraph in paragraphs)
    found = next(filter(None, map(_PUBLISHED.fullmatch, without_remarks)), None)
    metrics = _metrics(found[1]) if found else []
    if not found or metric.lower() not in metrics:
        return {}
    figures: dict[str, Decimal] = {}
    entries = re.split("[;,]", found[2])
    for entry in entries:
        words = entry.split()
        name, numbers = words[: -len(metrics)], words[-len(metrics) :]
        understood = name and all(map(_NUMBER.fullmatch, numbers)) and not _NUMBER.fullmatch(name[-1])
        if not understood:
            return {}
        figures[" ".join(name)] = Decimal(numbers[metrics.index(metric.lower())])
    return figures if len(figures) == len(entries) else {}


def _metrics(text: str) -> list[str]:
    """acc@1, acc@5 and acc@10 of "acc@1 / @5 / @10"."""
    metrics: list[str] = []
    for name in text.lower().split(" / "):
        metrics.append(metrics[-1].partition("@")[0] + name if name[:1] == "@" and metrics else name)
    return metrics


def _spelled_alike(published: dict[str, Decimal], estimates: Sequence[Estimate]) -> dict[str, Decimal]:
    """Published names as the table writes them, where it has them in capitals or not."""
    spelled = {estimate.name.lower(): estimate.name for estimate in estimates}
    alike = {spelled.get(name.lower(), name): figure for name, figure in published.items()}
    return alike if len(alike) == len(published) else {}


def _ratio_charts(text: str) -> Iterator[str]:
    """A chart for each group of peers in tables as `cases.render` makes them, which blank lines separate."""
    for block in text.split("\n\n"):
        head, *lines = block.strip("\n").split("\n")
        columns = _columns(head)
        if columns[0] != OURS or not columns[-1].startswith("vs ") or not 0 < len(lines) <= MOST_ROWS:
            continue
        groups = columns[-1].split(" / ")
        rows = [row for line in lines if (row := _ratios(_columns(line), len(groups)))]
        if len(rows) < len(lines):
            continue
        for number, group in enumerate(groups):
            ratios = [(name, Decimal(cells[number])) for name, cells in rows if cells[number] != NOT_MEASURED]
            if ratios and all(ratio > 0 for _, ratio in ratios):
                yield ratio_chart(group, ratios)


def _columns(line: str) -> list[str]:
    return re.split(" {2,}", line.strip())


def _ratios(columns: Sequence[str], groups: int) -> tuple[str, list[str]] | None:
    """A row's name and its ratio for each group of peers, if it is a row of such a table."""
    name, *values, last = columns if columns[1:] else [*columns, ""]
    ratios = last.split(" / ")
    understood = (
        values
        and all(re.fullmatch("[0-9.,]+", value) for value in values)
        and all(ratio == NOT_MEASURED or _NUMBER.fullmatch(ratio) for ratio in ratios)
    )
    return (name, ratios) if understood and len(ratios) == groups else None
