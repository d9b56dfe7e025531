"""What commands print. Text from a forum never gets to the terminal as anything but visible characters."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from askagain.evaluation.rendering import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def console() -> Console:
    """Standard output, on which nothing inside a text is taken for markup."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def text(content: str, style: str = "") -> Text:
    """Foreign text for the console, on one line."""
    from rich.text import Text

    return Text(plain(content), style=style)


def print_json(value: object) -> None:
    """One JSON value; ASCII only, so that it needs no encoding and carries no control characters."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n")


def complain(message: str) -> None:
    """One line on standard error."""
    print(f"askagain: {plain(message)}", file=sys.stderr)


def remark(message: str) -> None:
    """A remark on what is being done, on standard error: standard output is for results."""
    print(plain(message), file=sys.stderr)
