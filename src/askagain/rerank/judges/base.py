"""What every judge of pairs can do, and what it is kept as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from askagain.encoders.weightfile import Arrays
from askagain.question import Question, Reason


class Judge(Protocol):
    """Says of each candidate how likely the answer to it settles the query."""

    @property
    def threshold(self) -> float:
        """A candidate with a higher score counts as a duplicate."""

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        """One score per candidate; the candidates stand in the order in which a search engine found them."""

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        """What the candidate's score is made of, largest share first."""


@dataclass(frozen=True)
class Learned:
    """Everything that a judge has learned: arrays by their names, and the words that they know, if any."""

    arrays: Arrays
    words: tuple[str, ...] = ()
