"""Replies that say no."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from askagain.client import (
    AlreadyExistsError,
    ChangedMeanwhileError,
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
from askagain.client.errors import Fault
from askagain.client.problems import problem_error

PROBLEM = {
    "type": "about:blank",
    "title": "Unprocessable Entity",
    "status": 422,
    "detail": "body.title: it is empty",
    "errors": [{"path": "body.title", "detail": "it is empty"}],
    "request_id": "42-abc",
}


def _error(status: int, body: bytes = b"", **headers: str) -> ServiceError:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return problem_error("PUT /v1/questions/1", status, named, body)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, UnexpectedReplyError),
        (400, InvalidRequestError),
        (401, UnauthorizedError),
        (403, ForbiddenError),
        (404, NotFoundError),
        (405, InvalidRequestError),
        (409, AlreadyExistsError),
        (412, ChangedMeanwhileError),
        (413, TooLargeError),
        (422, InvalidRequestError),
        (429, TooManyRequestsError),
        (500, ServerError),
        (503, UnavailableError),
    ],
)
def test_every_status_has_its_kind(status: int, kind: type[ServiceError]) -> None:
    error = _error(status)

    assert type(error) is kind
    assert error.status == status


def test_the_error_says_what_was_called_what_came_back_and_why() -> None:
    error = _error(422, json.dumps(PROBLEM).encode())

    assert str(error) == "PUT /v1/questions/1: 422 Unprocessable Entity: body.title: it is empty"
    assert error.detail == "body.title: it is empty"
    assert error.faults == (Fault("body.title", "it is empty"),)
    assert error.request_id == "42-abc"


@pytest.mark.parametrize(
    "body", [b"", b"<html>Bad Gateway</html>", b"\xff", b"[]", b'{"detail": 3, "errors": "none"}']
)
def test_a_proxys_own_page_is_an_error_without_details(body: bytes) -> None:
    assert str(_error(502, body)) == "PUT /v1/questions/1: 502 Bad Gateway"


def test_a_long_detail_in_many_lines_becomes_a_short_one_in_one() -> None:
    error = _error(400, json.dumps({"detail": "no\n" * 1000}).encode())

    assert "\n" not in str(error)
    assert len(str(error)) < 600


def test_an_address_that_has_moved_says_where_to() -> None:
    error = _error(308, location="https://forum.example.org/v1/about")

    assert "https://forum.example.org/v1/about" in str(error)


@pytest.mark.parametrize(("said", "seconds"), [("3", 3.0), ("soon", None), ("-1", None), ("²", None)])
def test_the_pause_is_a_number_of_seconds(said: str, seconds: float | None) -> None:
    assert _error(503, retry_after=said).retry_after == seconds


def test_the_pause_may_be_told_as_a_date() -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)

    assert _error(503, retry_after=then).retry_after == pytest.approx(60, abs=5)
