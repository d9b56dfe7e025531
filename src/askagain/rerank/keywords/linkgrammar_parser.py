"""Parses by link-grammar (Sleator & Temperley 1993), for machines without a model for spaCy.

It runs in a process of its own (`linkgrammar_worker`), for two reasons: Debian installs it for the system's
Python only, and the library ends its process at texts that it does not like. Links have no direction, and may
form rings. What is kept of them is a tree, breadth first from the word that is linked to the wall on the
left. Words that the library leaves out depend on nothing. Its time grows fast with a text's length, so one of
more than 15 words is parsed in pieces, each a tree of its own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from askagain.rerank.keywords import linkgrammar_worker
from askagain.rerank.keywords.parsing import ROOT, Parse

PYTHONS: Final = (sys.executable, "/usr/bin/python3")

_BATCH: Final = 500
_WORDS_IN_A_PIECE: Final = 15
_SECONDS_TO_START: Final = 30
_SECONDS_PER_TEXT: Final = 2
# A word that was left out: [word]. One that was guessed: word[?].n. A known one with its class: word.n-u
_LEFT_OUT = re.compile(r"\[(.+)\]")
_GUESSED = re.compile(r"(.+?)\[[?!~&][^\[]*")
_WITH_CLASS = re.compile(r"(.+)\.[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True)
class LinkGrammarParser:
    """The library as it is installed for one Python."""

    version: str
    python: str
    name: str = "link-grammar"

    def parse(self, sub_sentences: Sequence[str]) -> list[Parse]:
        """One parse per sub-sentence; where the library fails, no word depends on another."""
        split = [_pieces(text) for text in sub_sentences]
        parses = iter(self._parses([piece for pieces in split for piece in pieces]))
        return [_joined(list(islice(parses, len(pieces)))) for pieces in split]

    def _parses(self, pieces: Sequence[str]) -> list[Parse]:
        parses: list[Parse] = []
        while len(parses) < len(pieces):
            asked = pieces[len(parses) : len(parses) + _BATCH]
            answers = self._answers(asked)
            parses += [_parse_of(text, answer) for text, answer in zip(asked, answers, strict=False)]
            if len(answers) < len(asked):
                parses.append(_unparsed(asked[len(answers)]))
        return parses

    def _answers(self, texts: Sequence[str]) -> list[Any]:
        """As many answers as were given before the end, or before the time was over."""
        lines = "".join(json.dumps(text) + "\n" for text in texts)
        return _said(self.python, [], lines, _SECONDS_TO_START + _SECONDS_PER_TEXT * len(texts))


def find_linkgrammar() -> LinkGrammarParser | None:
    """The library with its English dictionary, installed for this Python or the system's."""
    for python in PYTHONS:
        said = _said(python, ["--version"], "", _SECONDS_TO_START)
        if said:
            return LinkGrammarParser(str(said[0]).removeprefix("link-grammar-"), python)
    return None


def _said(python: str, arguments: list[str], lines: str, seconds: float) -> list[Any]:
    """What the worker answers. The library prints remarks among it, which are no JSON."""
    command = [python, "-I", str(Path(linkgrammar_worker.__file__)), *arguments]
    try:
        done = subprocess.run(
            command, input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=seconds
        )
        output = done.stdout
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
    except OSError:
        return []
    return [json.loads(line) for line in output.splitlines() if line.startswith((b"[", b'"'))]


def _pieces(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[at : at + _WORDS_IN_A_PIECE]) for at in range(0, len(words), _WORDS_IN_A_PIECE)]


def _joined(parses: Sequence[Parse]) -> Parse:
    words: list[str] = []
    heads: list[int] = []
    for parse in parses:
        heads += [ROOT if head == ROOT else head + len(words) for head in parse.heads]
        words += parse.words
    return Parse(tuple(words), tuple(heads))


def _parse_of(text: str, answer: Any) -> Parse:
    words, links = answer
    if not words:
        return _unparsed(text)
    return Parse(tuple(map(_plain_word, words)), _heads(len(words), links))


def _unparsed(text: str) -> Parse:
    words = tuple(text.split())
    return Parse(words, (ROOT,) * len(words))


def _plain_word(word: str) -> str:
    for form in (_LEFT_OUT, _GUESSED, _WITH_CLASS):
        if found := form.fullmatch(word):
            return found[1]
    return word


def _heads(count: int, links: Iterable[Sequence[int]]) -> tuple[int, ...]:
    neighbours: list[list[int]] = [[] for _ in range(count)]
    roots = []
    for left, right in links:
        if left == ROOT:
            roots.append(right)
        else:
            neighbours[left].append(right)
            neighbours[right].append(left)
    heads: list[int | None] = [None] * count
    for start in (*roots, *range(count)):
        if heads[start] is None:
            _hang_on(start, heads, neighbours)
    return tuple(ROOT if head is None else head for head in heads)


def _hang_on(start: int, heads: list[int | None], neighbours: Sequence[Sequence[int]]) -> None:
    """Everything that is linked to `start` depends on it, or on what depends on it."""
    heads[start] = ROOT
    waiting = deque([start])
    while waiting:
        place = waiting.popleft()
        for neighbour in neighbours[place]:
            if heads[neighbour] is None:
                heads[neighbour] = place
                waiting.append(neighbour)
