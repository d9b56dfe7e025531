"""ETags: a question's content in short, against lost updates (RFC 9110)."""

from __future__ import annotations

from hashlib import sha256

import orjson
from starlette.exceptions import HTTPException

from askagain.question import Question
from askagain.service.values import whole


def etag_of(question: Question) -> str:
    """Equal for questions with equal texts."""
    return f'"{sha256(orjson.dumps(whole(question))).hexdigest()[:32]}"'


def check_match(present: Question | None, if_match: str | None, if_none_match: str | None = None) -> None:
    """412 unless the question is in the state that the client has seen."""
    tag = etag_of(present) if present is not None else None
    if if_match is not None and not _names(if_match, tag):
        raise HTTPException(412, "the question was changed or deleted since: read it again")
    if if_none_match is not None and _names(if_none_match, tag):
        raise HTTPException(412, "the question is there already")


def _names(header: str, tag: str | None) -> bool:
    """Whether a list of tags has this one; `*` names any that exists."""
    if tag is None:
        return False
    return header.strip() == "*" or tag in [part.strip() for part in header.split(",")]
