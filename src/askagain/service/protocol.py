"""HTTP with limits on how long, and how much, a client may send that is not the body of a request."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from askagain.service.problems import MEDIA_TYPE, Problem

SECONDS_FOR_HEADERS: Final = 10.0
MOST_BYTES_OF_HEADERS: Final = 64 * 1024


class GuardedProtocol(HttpToolsProtocol):
    """Ends connections on which neither whole headers nor a body come in, be it slow or endless."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._bytes_of_headers = 0
        self._before_body = True
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The first request is expected soon."""
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is expected any more."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Counts headers, trailers and what lies between requests; it must not go on for ever."""
        # What follows whole headers or a part of a body in the same piece is at most what one read gives.
        self._bytes_of_headers += len(data)
        super().data_received(data)
        if self._closing():
            return
        if self._bytes_of_headers > MOST_BYTES_OF_HEADERS:
            self.send_400_response("The headers are too long.")
        elif not self._answering():
            # Any data, even an empty line, has ended uvicorn's wait for the next request.
            self._start_timer()

    def send_400_response(self, msg: str) -> None:
        """In the form that all errors have, unless the request has an answer already."""
        if self._before_body or not self.cycle.response_started:
            self.transport.write(_bad_request(msg))
        self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._start_timer()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Trailers are dropped: nobody reads them, and they must not change headers that were checked."""
        if self._before_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """From here on the application's own limits hold."""
        self._before_body = False
        self._bytes_of_headers = 0
        self._stop_timer()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Bodies are counted by the application."""
        self._bytes_of_headers = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """What comes next is another request."""
        self._before_body = True
        self._bytes_of_headers = 0
        super().on_message_complete()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(SECONDS_FOR_HEADERS, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if not self._closing():
            self.transport.close()

    def _closing(self) -> bool:
        return self.transport is None or self.transport.is_closing()


def _bad_request(detail: str) -> bytes:
    told = Problem(title="Bad Request", status=400, detail=detail).model_dump_json().encode()
    head = [
        b"HTTP/1.1 400 Bad Request",
        b"content-type: " + MEDIA_TYPE.encode(),
        b"content-length: " + str(len(told)).encode(),
        b"connection: close",
    ]
    return b"\r\n".join([*head, b"", told])
