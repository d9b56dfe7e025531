"""The nouns that the whole project speaks: questions, marks and matches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a forum, as the forum has it: nothing in it is cleaned yet."""

    title: str
    body: str = ""
    id: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    url: str = ""
    answer: str = ""


class Verdict(StrEnum):
    """What a person said about a pair of questions."""

    DUPLICATE = "duplicate"
    NOT_DUPLICATE = "not-duplicate"


@dataclass(frozen=True, slots=True)
class Mark:
    """A person's verdict on a pair of questions; the order of the two ids has no meaning."""

    first: str
    second: str
    verdict: Verdict = Verdict.DUPLICATE
    who: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class Feedback:
    """A person's verdict on a match: a question that need not be in the archive, and the id found for it."""

    title: str
    body: str
    found: str
    verdict: Verdict
    who: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """One term's share of a match's score, with a field.

    Where words are compared, the match has the term in that field. Where vectors are, the term is of the
    question that was asked, and the match need not have it.
    """

    term: str
    field: str
    share: float


@dataclass(frozen=True, slots=True)
class WeightedWord:
    """A word as its question has it, in lower case; the rarer it is in the archive, the more it weighs."""

    word: str
    weight: float


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """Different words with similar meaning, the cosine of their vectors, and the mean of their weights."""

    asked: str
    found: str
    similarity: float
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the question that is asked and the one that was found have in common, and what only one has.

    `line` says it in plain language. A word stands in one of the lists only, and those of titles come first;
    `let_in` are the system's own reasons.
    """

    line: str
    shared: tuple[WeightedWord, ...] = ()
    only_asked: tuple[WeightedWord, ...] = ()
    only_found: tuple[WeightedWord, ...] = ()
    aligned: tuple[AlignedWords, ...] = ()
    let_in: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """One result of a search. `probability` is None as long as the system is not calibrated."""

    id: str
    score: float
    probability: float | None = None
    reasons: tuple[Reason, ...] = ()
    question: Question | None = None
    explanation: Explanation | None = None

    @property
    def reason(self) -> str:
        """The match in one line of plain language: of its explanation, or else its strongest terms."""
        return self.explanation.line if self.explanation else self._strongest_terms()

    def _strongest_terms(self) -> str:
        """True of words and of vectors."""
        shares: dict[str, float] = {}
        for reason in self.reasons:
            shares[reason.term] = shares.get(reason.term, 0.0) + reason.share
        strongest = sorted((term for term in shares if shares[term] > 0), key=lambda term: -shares[term])[:5]
        return f"matched by: {', '.join(strongest)}" if strongest else "no word stands out"
