"""Characters: which ones of a raw post are kept, and in which form."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain

# A longer post is cut here before anything looks at it. Forums limit posts to some 30,000 characters.
MAX_CHARACTERS = 1_000_000

# No script stacks more marks than this on one letter; a longer run is decoration ("zalgo") and dropped whole.
MAX_STACKED_MARKS = 4

# Undecodable bytes, private use, controls that stand for white space, and ™ (NFKC would write it as TM).
_SEPARATORS = "\x0b\x0c\x1c-\x1f\x85\ud800-\udfff\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff™℠"

# Characters that show nothing: controls, fillers of Hangul, the empty Braille cell, variation selectors.
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef"


def cut(text: str) -> str:
    """The first `MAX_CHARACTERS` characters."""
    return text[:MAX_CHARACTERS]


def normalise(text: str) -> str:
    """NFKC; control, zero-width, private and broken characters gone; plain apostrophes and hyphens."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    # A text has few different characters: looking at those first is several times faster.
    alphabet = "".join(set(text))
    for unwanted, replacement in _replacements():
        if unwanted.search(alphabet):
            text = unwanted.sub(replacement, text)
    return cut(unicodedata.normalize("NFKC", _without_stacks(text, alphabet)))


def _without_stacks(text: str, alphabet: str) -> str:
    """NFKC must not see long runs of marks: its time grows with the square of their length."""
    a_mark, stack = _marks()
    return stack.sub("", text) if a_mark.search(alphabet) else text


@cache
def combining_marks() -> str:
    """Every mark that is part of a written word, as the inside of a regular expression's [...]."""
    return _ranges_of("Mn", "Mc")


@cache
def _replacements() -> tuple[tuple[re.Pattern[str], str], ...]:
    return (
        (re.compile("\r\n?"), "\n"),
        (re.compile("[’‘‛ʼ´]"), "'"),
        (re.compile("[‐‑]"), "-"),
        (re.compile(f"[{_SEPARATORS}]+"), " "),
        (re.compile(f"[{_CONTROLS}{_INVISIBLE}{_ranges_of('Cf', 'Me')}]+"), ""),
    )


@cache
def _marks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    mark = f"[{combining_marks()}]"
    return re.compile(mark), re.compile(f"{mark}{{{MAX_STACKED_MARKS + 1},}}")


def _ranges_of(*categories: str) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in _runs(frozenset(categories)))


def _runs(categories: frozenset[str]) -> Iterator[tuple[int, int]]:
    """First and last code point of each run. Planes 2 to 13 hold no marks and no format characters."""
    first = None
    for code in chain(range(0x20000), range(0xE0000, 0xE1000), [sys.maxunicode]):
        if unicodedata.category(chr(code)) in categories:
            first = code if first is None else first
        elif first is not None:
            yield first, code - 1
            first = None
