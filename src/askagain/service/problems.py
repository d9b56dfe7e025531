"""Errors as the service tells them: application/problem+json (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match

from askagain.errors import (
    ArchiveBusyError,
    AskagainError,
    ConflictError,
    SettingsError,
    UnknownQuestionError,
    UnreachableError,
)
from askagain.service.answers import JsonAnswer

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = "1"

_LONGEST_PATH: Final = 200

# Of several kinds that fit, the first one counts.
_STATUS: Final[Sequence[tuple[type[AskagainError], int]]] = (
    (UnknownQuestionError, HTTPStatus.NOT_FOUND),
    (ConflictError, HTTPStatus.CONFLICT),
    (ArchiveBusyError, HTTPStatus.SERVICE_UNAVAILABLE),
    (UnreachableError, HTTPStatus.SERVICE_UNAVAILABLE),
    (SettingsError, HTTPStatus.UNPROCESSABLE_ENTITY),
)

logger = logging.getLogger(__name__)


class Fault(BaseModel):
    """What is wrong, and where."""

    path: str = Field(description="Such as body.title")
    detail: str


class Problem(BaseModel):
    """An error."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[Fault] = []
    request_id: str = ""


def problem(
    status: int,
    detail: str,
    *,
    faults: Sequence[Fault] = (),
    request_id: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The answer for an error."""
    told = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        errors=list(faults),
        request_id=request_id,
    )
    return JsonAnswer(
        told.model_dump(), status_code=status, headers=dict(headers or {}), media_type=MEDIA_TYPE
    )


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document: a route may answer with these errors, and with those that any route has."""
    always = (400, 401, 403, 408, 413, 415, 422, 429, 500, 503)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in sorted({*always, *statuses})
    }


def add_handlers(app: FastAPI) -> None:
    """Every error becomes a problem."""
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(AskagainError, _of_askagain)
    app.add_exception_handler(Exception, _of_anything)


def status_of(error: AskagainError) -> int:
    """The HTTP status for one of our own errors: what was asked is wrong, or the service is not well."""
    return next((int(status) for kind, status in _STATUS if isinstance(error, kind)), 500)


async def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return problem(error.status_code, str(error.detail), request_id=_id_of(request), headers=headers)


def _methods(request: Request) -> set[str]:
    """Of all routes with this path; the framework names those of one."""
    found: set[str] = set()
    for route in _single_routes(request.app.routes):
        if route.matches(request.scope)[0] is not Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return found


def _single_routes(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    """The framework keeps those of a router together."""
    for route in routes:
        router = getattr(route, "original_router", None)
        yield from _single_routes(router.routes) if router else (route,)


async def _of_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [Fault(path=_path(each["loc"]), detail=str(each["msg"])) for each in error.errors()]
    detail = "; ".join(f"{fault.path}: {fault.detail}" for fault in faults[:3])
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, faults=faults[:20], request_id=_id_of(request))


async def _of_askagain(request: Request, error: Exception) -> Response:
    assert isinstance(error, AskagainError)
    status = status_of(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("%s", error, extra={"request_id": _id_of(request)})
    headers = {"Retry-After": RETRY_AFTER} if status == HTTPStatus.SERVICE_UNAVAILABLE else None
    return problem(status, _told(request, error, status), request_id=_id_of(request), headers=headers)


async def _of_anything(request: Request, error: Exception) -> Response:
    """The gate writes it to the log."""
    return problem(500, "the service has failed: its log says more", request_id=_id_of(request))


def _told(request: Request, error: AskagainError, status: int) -> str:
    """Where the archive lies is nobody's business but the operator's."""
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return "the service is not well: its log says more"
    told, service = str(error), request.app.state.service
    for path in {request.app.state.settings.archive, str(service.archive.path) if service else ""} - {""}:
        told = told.replace(path, "the archive")
    return told


def _path(place: Sequence[object]) -> str:
    """Names that the client made up may be long and hostile."""
    return ".".join(map(str, place))[:_LONGEST_PATH].encode("ascii", "replace").decode()


def _id_of(request: Request) -> str:
    return str(request.scope.get("request_id", ""))
