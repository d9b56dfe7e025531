"""Labelled candidate lists, the material of re-ranking benchmarks."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.question import Question


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entry of a list: `relevant` is None where the labels are withheld; `rank` is 1-based."""

    question: Question
    rank: int
    relevant: bool | None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class CandidateList:
    """A query with the candidates that some search engine gave for it, in the file's order."""

    query: Question
    candidates: tuple[Candidate, ...]
