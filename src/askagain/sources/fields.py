"""Checks on the values of a row that all readers share."""

from __future__ import annotations

import re

from askagain.question import Mark, Question, Verdict
from askagain.sources.rows import RowError

_LONGEST_SHOWN = 60
_BRACKETED_TAG = re.compile(r"<([^<>]+)>")
_TAG_SEPARATOR = re.compile(r"[,;|]")


def shown(value: object) -> str:
    """A value from a foreign file, escaped and cut so that it is safe inside a one-line message."""
    if isinstance(value, list | dict):
        return f"a {type(value).__name__}"
    text = value if isinstance(value, str) else repr(value)
    cut = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return ascii(cut) if isinstance(value, str) else cut


def checked_question(question: Question) -> Question:
    """The question, if it has what every question needs."""
    if not question.id:
        raise RowError("no id")
    if not question.title.strip():
        raise RowError(f"question {shown(question.id)} has no title")
    return question


def checked_mark(mark: Mark) -> Mark:
    """The mark, if it names two different questions."""
    if not mark.first or not mark.second:
        raise RowError("a mark needs two ids")
    if mark.first == mark.second:
        raise RowError(f"question {shown(mark.first)} is marked against itself")
    return mark


def parsed_verdict(text: str) -> Verdict:
    """A verdict by its name; empty means duplicate."""
    if not text:
        return Verdict.DUPLICATE
    try:
        return Verdict(text.strip().lower())
    except ValueError:
        known = " or ".join(Verdict)
        raise RowError(f"verdict is {shown(text)}, not {known}") from None


def split_tags(text: str) -> tuple[str, ...]:
    """The tags of `<a><b>`, `|a|b|`, `a,b`, `a;b` and `a|b`."""
    bracketed = _BRACKETED_TAG.findall(text)
    parts = bracketed or _TAG_SEPARATOR.split(text)
    return tuple(tag for part in parts if (tag := part.strip()))
