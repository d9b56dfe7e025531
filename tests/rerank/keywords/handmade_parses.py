"""Parsers without a model: parses made by hand, or by rules that a test can foresee."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from askagain.rerank.keywords.parsing import Parse

# "renew my visa in qatar": renew is the root; visa and in depend on it, my on visa, qatar on in.
RENEW = Parse(("Renew", "my", "visa", "in", "Qatar"), (-1, 2, 0, 0, 3))


@dataclass
class ChainParser:
    """Each word depends on the one before it; remembers what it was asked."""

    name: str = "chain"
    version: str = "1"
    asked: list[str] = field(default_factory=list)

    def parse(self, sub_sentences: Sequence[str]) -> list[Parse]:
        self.asked += sub_sentences
        return [chain(text.split()) for text in sub_sentences]


@dataclass(frozen=True)
class ProcessParser:
    """Says in which process it works."""

    name: str = "process"
    version: str = "1"

    def parse(self, sub_sentences: Sequence[str]) -> list[Parse]:
        return [Parse((text, str(os.getpid())), (-1, 0)) for text in sub_sentences]


def chain(words: Sequence[str]) -> Parse:
    return Parse(tuple(words), tuple(range(-1, len(words) - 1)))
