"""HTTP with limits on how long, and how much, a client may send before its request begins."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from askagain.service.problems import MEDIA_TYPE, Problem

SECONDS_FOR_HEADERS: Final = 10.0
MOST_BYTES_OF_HEADERS: Final = 64 * 1024


class GuardedProtocol(HttpToolsProtocol):
    """Ends connections on which no whole header comes in, be it slow or endless."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._bytes_of_headers = 0
        self._in_headers = True
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
        """Counts what is not yet a request."""
        if self._in_headers:
            self._bytes_of_headers += len(data)
            # What follows the headers in the same piece is at most what one read gives.
        super().data_received(data)
        if self._in_headers and self._bytes_of_headers > MOST_BYTES_OF_HEADERS and not self._closing():
            self.send_400_response("The headers are too long.")

    def send_400_response(self, msg: str) -> None:
        """In the form that all errors have."""
        told = Problem(title="Bad Request", status=400, detail=msg).model_dump_json().encode()
        head = [
            b"HTTP/1.1 400 Bad Request",
            b"content-type: " + MEDIA_TYPE.encode(),
            b"content-length: " + str(len(told)).encode(),
            b"connection: close",
        ]
        self.transport.write(b"\r\n".join([*head, b"", told]))
        self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_headers = True
        self._start_timer()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """From here on the application's own limits hold."""
        self._in_headers = False
        self._bytes_of_headers = 0
        self._stop_timer()
        super().on_headers_complete()

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
