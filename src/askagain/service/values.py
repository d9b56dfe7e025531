"""Questions, matches and explanations as values for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from askagain.mining.grouping import WholeGroup
from askagain.question import Explanation, Match, Question, WeightedWord
from askagain.service.excerpts import excerpt, web_address


def whole(question: Question) -> dict[str, Any]:
    """A question with all its texts."""
    return {
        "id": question.id,
        "title": question.title,
        "body": question.body,
        "tags": list(question.tags),
        "created": question.created,
        "url": question.url,
        "answer": question.answer,
    }


def brief(question: Question) -> dict[str, Any]:
    """A question in short."""
    return {
        "id": question.id,
        "title": question.title,
        "excerpt": excerpt(question.body),
        "url": web_address(question.url),
        "created": question.created,
        "answer": excerpt(question.answer) if question.answer else None,
    }


def suggestion(match: Match) -> dict[str, Any]:
    """A match whose question is at hand."""
    assert match.question is not None
    return {
        **brief(match.question),
        "probability": match.probability,
        "score": match.score,
        "reasons": reasons(match.explanation) if match.explanation else None,
    }


def reasons(explanation: Explanation) -> dict[str, Any]:
    """An explanation."""
    return {
        "line": explanation.line,
        "shared": _words(explanation.shared),
        "only_yours": _words(explanation.only_asked),
        "only_theirs": _words(explanation.only_found),
        "similar": [
            {"yours": pair.asked, "theirs": pair.found, "similarity": round(pair.similarity, 3)}
            for pair in explanation.aligned
        ],
    }


def group(found: WholeGroup) -> dict[str, Any]:
    """A group with its canonical question."""
    return {
        "canonical": brief(found.canonical.question),
        "why": found.canonical.why,
        "members": [
            {
                **brief(member.question),
                "probability": member.probability,
                "confirmed": member.confirmed,
            }
            for member in found.members
        ],
        "weakest": found.weakest,
        "size": found.size,
    }


def _words(words: Iterable[WeightedWord]) -> list[dict[str, Any]]:
    return [{"word": word.word, "weight": round(word.weight, 3)} for word in words]
