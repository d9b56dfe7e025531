"""Calls over connections that stay open, one per thread, and tried again where that is harmless."""

from __future__ import annotations

import os
import random
import selectors
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Final

from askagain.client.address import Address
from askagain.client.errors import ServiceError, TooManyRequestsError, UnavailableError, UnreachableError
from askagain.client.problems import problem_error
from askagain.version import VERSION

LONGEST_WAIT: Final = 30.0
"""Seconds; a service that asks for a longer pause gets no second try."""

_FIRST_WAIT: Final = 0.1


@dataclass(frozen=True, slots=True)
class Call:
    """One request. What may be sent twice with the effect of once is `repeatable`."""

    method: str
    target: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True

    @property
    def name(self) -> str:
        """For errors: without the query, which may hold what somebody is about to ask."""
        return f"{self.method} {self.target.partition('?')[0]}"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Sends calls to one service."""

    def __init__(self, address: Address, headers: Mapping[str, str], timeout: float, retries: int) -> None:
        self._address = address
        self._headers = {"User-Agent": f"askagain-client/{VERSION}", "Accept": "application/json", **headers}
        self._timeout = timeout
        self._retries = retries
        self._here = threading.local()

    def send(self, call: Call) -> Reply:
        """The reply, after as many tries as the call and the answers allow."""
        for tried in range(self._retries):
            try:
                return self._try(call)
            except ServiceError as error:
                pause = _pause(call, error, tried)
                if pause is None:
                    raise
            time.sleep(pause)
        return self._try(call)

    def close(self) -> None:
        """Closes the connection of this thread; the next call opens a new one."""
        connection: HTTPConnection | None = getattr(self._here, "connection", None)
        if connection is not None:
            connection.close()

    def _try(self, call: Call) -> Reply:
        connection = self._connection()
        try:
            reply = _exchange(connection, call, self._address.prefix, self._headers)
        except (OSError, HTTPException) as error:
            connection.close()
            raise UnreachableError(f"{call.name}: {self._failure(error)}") from error
        except BaseException:
            connection.close()  # or the next call would read what is left of this one's reply
            raise
        if reply.status >= 300:
            raise problem_error(call.name, reply.status, reply.headers, reply.body)
        return reply

    def _connection(self) -> HTTPConnection:
        """This thread's, but not one that the parent process goes on using after a fork."""
        here = self._here
        if getattr(here, "process", None) != os.getpid():
            here.process = os.getpid()
            here.connection = self._address.connection(self._timeout)
        connection: HTTPConnection = here.connection
        if _is_dropped(connection):
            connection.close()
        return connection

    def _failure(self, error: Exception) -> str:
        where = f"the service at {self._address.host}"
        if isinstance(error, TimeoutError):
            return (
                f"{where} has not answered in {self._timeout:g} seconds: try later, or allow a longer timeout"
            )
        reason = str(error) or type(error).__name__
        return f"{where} cannot be reached ({reason}): check the address, and that it runs"


def _exchange(connection: HTTPConnection, call: Call, prefix: str, headers: Mapping[str, str]) -> Reply:
    if connection.sock is None:
        connection.connect()
    # A service that refuses a large body may close its side before all is sent; it has replied all the same.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.request(call.method, prefix + call.target, call.body, {**headers, **call.headers})
    response = connection.getresponse()
    return Reply(
        response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    )


def _is_dropped(connection: HTTPConnection) -> bool:
    """Whether the service has closed an idle connection: it can be read, though nothing was asked."""
    if connection.sock is None:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(timeout=0))


def _pause(call: Call, error: ServiceError, tried: int) -> float | None:
    """Seconds to wait before the next try; None if there must not be one.

    A call that was refused for its number has done nothing yet; one that broke or ran out of time may have.
    """
    harmless = isinstance(error, TooManyRequestsError) or (
        call.repeatable and isinstance(error, UnavailableError | UnreachableError)
    )
    pause = _FIRST_WAIT * 2**tried * random.uniform(0.5, 1.0)
    if error.retry_after is not None:
        pause = max(pause, error.retry_after)
    return pause if harmless and pause <= LONGEST_WAIT else None
