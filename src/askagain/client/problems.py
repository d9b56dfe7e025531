"""Replies that say no, into errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import responses
from typing import Any, Final

from askagain.client.errors import (
    AlreadyExistsError,
    ChangedMeanwhileError,
    Fault,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    ServerError,
    ServiceError,
    TooLargeError,
    TooManyRequestsError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedReplyError,
)

_KINDS: Final[Mapping[int, type[ServiceError]]] = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: AlreadyExistsError,
    412: ChangedMeanwhileError,
    413: TooLargeError,
    429: TooManyRequestsError,
    503: UnavailableError,
}
_LONGEST_DETAIL: Final = 500


def problem_error(what: str, status: int, headers: Mapping[str, str], body: bytes) -> ServiceError:
    """The error that a reply stands for; `what` names the call."""
    problem = _problem(body)
    detail = _line(problem.get("detail")) or _moved(headers)
    said = f": {detail}" if detail else ""
    return _kind(status)(
        f"{what}: {status} {responses.get(status, 'unknown status')}{said}",
        status=status,
        detail=detail,
        faults=_faults(problem.get("errors")),
        request_id=_line(problem.get("request_id")),
        retry_after=_seconds(headers.get("retry-after")),
    )


def _kind(status: int) -> type[ServiceError]:
    if status in _KINDS:
        return _KINDS[status]
    if status >= 500:
        return ServerError
    return InvalidRequestError if status >= 400 else UnexpectedReplyError


def _problem(body: bytes) -> Mapping[str, Any]:
    """A proxy in between may answer with a page of its own."""
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _moved(headers: Mapping[str, str]) -> str:
    location = _line(headers.get("location"))
    return f"it has moved to {location}; use that address" if location else ""


def _faults(errors: object) -> tuple[Fault, ...]:
    listed = errors if isinstance(errors, list) else []
    return tuple(
        Fault(_line(fault.get("path")), _line(fault.get("detail")))
        for fault in listed
        if isinstance(fault, dict)
    )


def _line(text: object) -> str:
    return " ".join(text.split())[:_LONGEST_DETAIL] if isinstance(text, str) else ""


def _seconds(retry_after: str | None) -> float | None:
    """A number of seconds or a date (RFC 9110, 10.2.3); anything else is as if nothing was said."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        then = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (then.astimezone(UTC) - datetime.now(UTC)).total_seconds())
