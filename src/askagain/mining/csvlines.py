"""CSV that spreadsheets can open without harm."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

# And the apostrophe itself, so that readers can tell which ones to take away.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def csv_line(cells: Sequence[object]) -> str:
    """One line with its end.

    A text that a spreadsheet would run as a formula, because of its first character, gets an apostrophe in
    front: one of = + - @, a tab, a line end or an apostrophe.
    """
    line = io.StringIO()
    csv.writer(line).writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in cells])
    return line.getvalue()


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell
