"""Everything that comes in and goes out passes here: ids, limits, rates, headers, figures and logs."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from askagain.service.metrics import REQUESTS, SECONDS
from askagain.service.paths import with_marked_slashes
from askagain.service.problems import RETRY_AFTER, problem
from askagain.service.rates import Rates
from askagain.service.settings import ServiceSettings

MOST_BYTES: Final = 1_000_000
MOST_BYTES_IN_BULK: Final = 64_000_000
BULK: Final = "/v1/questions/bulk"

_PROBES: Final = ("/healthz", "/readyz", "/metrics")
_UNLIMITED: Final = (*_PROBES, "/static/")
_HUNG_UP: Final = 499  # nobody gets it, but logs and figures need a status; nginx has made this one common
_ACCEPTABLE_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_NOTHING_RUNS: Final = "default-src 'none'; frame-ancestors 'none'"

logger = logging.getLogger("askagain.requests")


@dataclass
class _Visit:
    """One request on its way."""

    id: str
    started: float
    status: int = 0


class Gate:
    """The outermost layer: ids, headers, figures and logs, of what is refused as well."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the start and end of the service."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._visit(scope, receive, send)

    async def _visit(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = _Visit(_id_of(Headers(scope=scope)), time.perf_counter())
        scope["request_id"] = visit.id
        scope["path"] = with_marked_slashes(scope)
        sending = _dressed(send, visit)
        try:
            await self._app(scope, receive, sending)
        except ClientDisconnect:
            visit.status = _HUNG_UP
        except Exception:
            logger.exception("the service has failed", extra={"request_id": visit.id})
            if not visit.status:
                answer = problem(500, "the service has failed: its log says more", request_id=visit.id)
                await answer(scope, receive, sending)
        finally:
            _record(scope, visit)


class Limits:
    """The layer before the routes; what it refuses never gets to them."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings, name_of: Callable[[str], str | None]) -> None:
        self._app = app
        self._settings = settings
        self._rates = Rates(settings.rate, settings.burst)
        self._name_of = name_of
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or says why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._under_way += 1
        try:
            await self._admitted(scope, receive, send)
        except HTTPException as error:
            answer = problem(
                error.status_code, str(error.detail), request_id=scope["request_id"], headers=error.headers
            )
            await answer(scope, receive, send)
        finally:
            self._under_way -= 1

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if scope["path"] not in _PROBES:
            self._check_load()
        if not scope["path"].startswith(_UNLIMITED):
            self._check_rate(scope, headers)
        bulk = scope["path"] == BULK
        most = MOST_BYTES_IN_BULK if bulk else MOST_BYTES
        _check_announced(headers, most)
        await self._app(scope, _limited(receive, most, self._settings.arrival_seconds, whole=not bulk), send)

    def _check_load(self) -> None:
        if self._under_way > self._settings.connections:
            # A new connection may find a worker that has less to do.
            headers = {"Retry-After": RETRY_AFTER, "Connection": "close"}
            raise HTTPException(503, "too many requests are under way: try again later", headers)

    def _check_rate(self, scope: Scope, headers: Headers) -> None:
        wait = self._rates.wait_of(self._client(scope, headers), time.monotonic())
        if wait:
            raise HTTPException(429, "too many requests: wait a little", {"Retry-After": str(ceil(wait))})

    def _client(self, scope: Scope, headers: Headers) -> str:
        """A valid key's name, else the address: whoever makes up keys has one bucket for all of them."""
        sort, _, key = headers.get("authorization", "").partition(" ")
        name = self._name_of(key.strip()) if sort.lower() == "bearer" else None
        if name is not None:
            return f"key {name}"
        return str(scope["client"][0]) if scope.get("client") else ""


def _id_of(headers: Headers) -> str:
    """The client's own id if it is harmless, so that its logs and ours can be laid side by side."""
    sent = headers.get("x-request-id", "")
    return sent if _ACCEPTABLE_ID.fullmatch(sent) else secrets.token_hex(8)


def _check_announced(headers: Headers, most: int) -> None:
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise HTTPException(415, "compressed bodies are not read: send it as it is")
    announced = headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > most:
        raise _too_large(most)


def _too_large(most: int) -> HTTPException:
    return HTTPException(413, f"the body has more than {most:,} bytes: send less", {"Connection": "close"})


def _limited(receive: Receive, most: int, seconds: float, *, whole: bool) -> Receive:
    """Takes no more than so many bytes, in so many seconds: the `whole` body, or each piece of it."""
    taken = 0
    deadline = asyncio.get_running_loop().time() + seconds
    ended = False

    async def limited() -> Message:
        nonlocal taken, deadline, ended
        if ended:  # from now on it is about whether the client is still there
            return await receive()
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError as error:
            raise HTTPException(408, "the body did not arrive in time", {"Connection": "close"}) from error
        taken += len(message.get("body", b""))
        ended = not message.get("more_body", False)
        if taken > most:
            raise _too_large(most)
        if not whole:
            deadline = asyncio.get_running_loop().time() + seconds
        return message

    return limited


def _dressed(send: Send, visit: _Visit) -> Send:
    """Answers get the headers that all of them have."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            visit.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-ID"] = visit.id
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", _NOTHING_RUNS)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return dressed


def _record(scope: Scope, visit: _Visit) -> None:
    route = getattr(scope.get("route"), "path", "other")
    seconds = time.perf_counter() - visit.started
    REQUESTS.labels(route, _method(scope), str(visit.status)).inc()
    SECONDS.labels(route).observe(seconds)
    told = {
        "request_id": visit.id,
        "method": _method(scope),
        "route": route,
        "status": visit.status,
        "milliseconds": round(1000 * seconds, 1),
        "client": scope["client"][0] if scope.get("client") else "",
    }
    logger.info("request", extra=told)


def _method(scope: Scope) -> str:
    """Methods that nobody knows are one: a client must not make up labels."""
    known = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")
    return scope["method"] if scope["method"] in known else "OTHER"
