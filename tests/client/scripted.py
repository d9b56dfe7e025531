"""A real server on loopback that answers what a test has told it to, and remembers what it was asked."""

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A reply; `after` is the seconds it takes, `unread` leaves the request's body where it is."""

    status: int = 200
    json: Any = None
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0
    unread: bool = False


@dataclass(frozen=True)
class Break:
    """No reply: the connection is closed."""


@dataclass(frozen=True)
class Asked:
    """A request as it came; `connection` tells one connection from another."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


class Scripted:
    """Gives its answers in order, and the last one again and again."""

    def __init__(self, answers: Sequence[Answer | Break]) -> None:
        self.asked: list[Asked] = []
        self.stopped = threading.Event()
        self.url = ""
        self._answers = list(answers)
        self._connections: list[socket.socket] = []

    def next(self) -> Answer | Break:
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def connected(self, connection: socket.socket) -> None:
        self._connections.append(connection)

    def hang_up(self) -> None:
        """Closes all connections, as a server does with those that lie idle."""
        for connection in self._connections:
            connection.shutdown(socket.SHUT_RDWR)
        self._connections.clear()


@contextmanager
def scripted(*answers: Answer | Break, tls: SSLContext | None = None) -> Iterator[Scripted]:
    """The server while it runs."""
    script = Scripted(answers)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    script.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        script.stopped.set()
        server.shutdown()
        thread.join()
        server.socket.close()


def _handler(script: Scripted) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            script.connected(self.connection)

        def answer(self) -> None:
            answer = script.next()
            unread = isinstance(answer, Answer) and answer.unread
            body = b"" if unread else self.rfile.read(int(self.headers.get("Content-Length", 0)))
            script.asked.append(
                Asked(self.command, self.path, dict(self.headers), body, self.client_address[1])
            )
            if isinstance(answer, Break):
                self.close_connection = True
            else:
                self.reply(answer)
                self.close_connection |= unread

        def reply(self, answer: Answer) -> None:
            script.stopped.wait(answer.after)
            body = json.dumps(answer.json).encode() if answer.json is not None else answer.body
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815

        def log_message(self, format: str, *arguments: object) -> None:
            """The tests' output stays readable."""

    return Handler
