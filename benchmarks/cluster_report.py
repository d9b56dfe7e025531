"""What the parts of the cluster's benchmark print: Markdown tables, and remarks while they run."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Whole numbers get separators; other figures come as they are to be shown."""
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
