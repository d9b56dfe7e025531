"""Tables of figures as plain text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_MARKDOWN_SPECIAL = frozenset("\\`*_[]<>|&")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure with its interval and the letters of the rows that it beats."""

    value: float
    low: float
    high: float
    beaten: str


@dataclass(frozen=True, slots=True)
class Row:
    """One system: its letter, its name, one cell per metric, and how long it took."""

    letter: str
    name: str
    cells: tuple[Cell, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Table:
    """What every rendering shows; without labels there are no metrics, and the notes say so."""

    title: str
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def plain(text: str) -> str:
    """Text that cannot disturb a terminal or a table: control characters become blanks."""
    return "".join(character if character.isprintable() else " " for character in text)


def plain_table(table: Table) -> str:
    """Aligned columns; each system has a second line with the intervals."""
    lines = [["", "system", *table.metrics, "seconds"]]
    for row in table.rows:
        figures = [f"{cell.value:.2f} {cell.beaten}".strip() for cell in row.cells]
        lines.append([row.letter, plain(row.name), *figures, f"{row.seconds:.1f}"])
        if row.cells:
            lines.append(["", "", *(f"[{cell.low:.2f} {cell.high:.2f}]" for cell in row.cells), ""])
    return "\n".join([plain(table.title), "", *_aligned(lines), "", *map(plain, table.notes)]) + "\n"


def markdown_table(table: Table) -> str:
    """A Markdown table; the letters are superscripts."""
    lines = [
        ["", "system", *table.metrics, "seconds"],
        ["---", "---", *("---:" for _ in table.metrics), "---:"],
        *(
            [r.letter, _markdown(r.name), *map(_markdown_cell, r.cells), f"{r.seconds:.1f}"]
            for r in table.rows
        ),
    ]
    body = ["| " + " | ".join(line) + " |" for line in lines]
    notes = [f"{_markdown(note)}  " for note in table.notes]
    return "\n".join([f"**{_markdown(table.title)}**", "", *body, "", *notes]) + "\n"


def latex_table(table: Table) -> str:
    """A `tabular` that needs no package; the title and the notes are comments."""
    lines = [
        ["", "system", *map(escape_latex, table.metrics), "seconds"],
        *(
            [r.letter, escape_latex(r.name), *map(_latex_cell, r.cells), f"{r.seconds:.1f}"]
            for r in table.rows
        ),
    ]
    head, *body = [" & ".join(line) + r" \\" for line in lines]
    return "\n".join(
        [
            *(f"% {plain(line)}" for line in (table.title, *table.notes)),
            rf"\begin{{tabular}}{{ll{'r' * len(table.metrics)}r}}",
            r"\hline",
            head,
            r"\hline",
            *body,
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )


def escape_latex(text: str) -> str:
    """Text in which no character has a meaning for LaTeX."""
    return "".join(_LATEX_ESCAPES.get(character, character) for character in plain(text))


def _latex_cell(cell: Cell) -> str:
    letters = f"$^{{\\mathrm{{{cell.beaten}}}}}$" if cell.beaten else ""
    return f"{cell.value:.2f}{letters} {{\\scriptsize [{cell.low:.2f}, {cell.high:.2f}]}}"


def _markdown(text: str) -> str:
    return "".join(f"\\{c}" if c in _MARKDOWN_SPECIAL else c for c in plain(text))


def _markdown_cell(cell: Cell) -> str:
    letters = f"<sup>{cell.beaten}</sup>" if cell.beaten else ""
    return f"{cell.value:.2f}{letters} [{cell.low:.2f}, {cell.high:.2f}]"


def _aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
