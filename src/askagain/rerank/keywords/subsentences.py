"""Sub-sentences: the pieces of a question that are parsed, and that give keywords, each by itself.

The paper says only that subject and body are cut. Here, a piece ends with a line, at a sentence's end, and at
a semicolon. A comma ends none, as little as a semicolon of SemEval that stands for one: its reader has turned
those back into commas. Longer pieces, as of posts without any full stop, are cut after 60 words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from askagain.question import Question
from askagain.text import clean

LONGEST_WORDS: Final = 60
LONGEST_CHARACTERS: Final = 400
# What comes after so many sub-sentences of a question is left out, so that every question takes bounded time.
MOST_SUB_SENTENCES: Final = 200

# After these, a full stop and a blank do not end a sentence.
_ABBREVIATIONS: Final = (
    "approx", "apt", "dr", "e.g", "etc", "i.e", "incl", "inc", "jr", "ltd", "max", "min", "mr", "mrs", "ms",
    "no", "nr", "prof", "sr", "st", "vs",
)  # fmt: skip
_ABBREVIATED = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, _ABBREVIATIONS))})\.$")
_LONGEST_ABBREVIATED = max(map(len, _ABBREVIATIONS)) + 1
# Nor after the number or letter of an item in a list.
_ITEM = re.compile(r"\s*(?:\d{1,2}|[a-zA-Z])\.")

# Marks that end a sentence before a blank; several full stops in any case; one without a blank between a
# word and a capital ("hello.My visa"); the Japanese full stop, which no blank follows; and semicolons.
_END = re.compile(r"[.!?…]++[\"')\]]*+(?=\s)|\.{2,}+|[!?…]++|(?<=[a-z]{2})\.(?=[A-Z](?:[a-z]|\s))|[。;]++")


def sub_sentences(content: Question | str) -> list[str]:
    """The clean pieces of a post, or of a question's title and then its body, in order."""
    parts = (content,) if isinstance(content, str) else (content.title, content.body)
    lines = (line for part in parts for line in clean(part).splitlines())
    return list(islice((piece for line in lines for piece in _pieces(line)), MOST_SUB_SENTENCES))


def _pieces(line: str) -> Iterator[str]:
    for sentence in _sentences(line):
        yield from _short_pieces(sentence)


def _sentences(line: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(line):
        if end[0] != "." or not _goes_on(line, start, end.end()):
            yield line[start : end.end()]
            start = end.end()
    yield line[start:]


def _goes_on(line: str, start: int, end: int) -> bool:
    """Whether the full stop before `end` ends something else than a sentence."""
    if _ITEM.fullmatch(line, start, end):
        return True
    return _ABBREVIATED.search(line, max(start, end - _LONGEST_ABBREVIATED), end) is not None


def _short_pieces(sentence: str) -> Iterator[str]:
    words = sentence.split()
    for start in range(0, len(words), LONGEST_WORDS):
        piece = " ".join(words[start : start + LONGEST_WORDS])
        for cut in range(0, len(piece), LONGEST_CHARACTERS):
            part = piece[cut : cut + LONGEST_CHARACTERS].strip()
            if any(character.isalnum() for character in part):
                yield part
