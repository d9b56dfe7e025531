"""What a client may send around its requests, and for how long."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from uvicorn import Config, Server

from askagain.service import protocol
from askagain.service.protocol import MOST_BYTES_OF_HEADERS, GuardedProtocol

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
PATIENCE = 0.3
"""Seconds for headers in these tests; the service's own are too many to wait for."""


async def names_of_headers(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body, except of PUT, and answers with the names of the headers as they are then."""
    request = Request(scope, receive)
    if request.method != "PUT":
        with suppress(ClientDisconnect):
            await request.body()
    await JSONResponse([name.decode() for name, _ in scope["headers"]])(scope, receive, send)


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Of a server with the guarded protocol."""
    monkeypatch.setattr(protocol, "SECONDS_FOR_HEADERS", PATIENCE)
    config = Config(names_of_headers, http=GuardedProtocol, lifespan="off", log_config=None, access_log=False)
    server = Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = threading.Thread(target=server.run, args=([listening],))
        running.start()
        yield listening.getsockname()
        server.should_exit = True
        running.join(30)


@contextmanager
def connected(address: tuple[str, int]) -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=30) as connection:
        yield connection


def answer(connection: socket.socket) -> bytes:
    """One answer, which has a JSON array at its end."""
    received = b""
    while not received.endswith(b"]"):
        piece = connection.recv(65536)
        assert piece, "the connection was closed before the answer"
        received += piece
    return received


def seconds_until_closed(connection: socket.socket) -> float:
    connection.settimeout(3)  # uvicorn's own patience is 5 seconds
    start = time.monotonic()
    with suppress(ConnectionResetError):
        assert not connection.recv(65536)
    return time.monotonic() - start


def bytes_taken(connection: socket.socket, piece: bytes, most: int) -> int:
    """How much of an endless stream the server takes, up to a limit."""
    taken = 0
    with suppress(OSError):
        while taken < most:
            connection.sendall(piece)
            taken += len(piece)
    return taken


def test_endless_trailers_end_the_connection(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(CHUNKED)
        trailers = b"".join(b"a%d: bbbbbbbbbbbbbbbbbbbb\r\n" % number for number in range(1000))
        assert bytes_taken(connection, trailers, 20_000_000) < 20_000_000


def test_too_many_trailers_are_refused_as_a_problem(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(CHUNKED)
        time.sleep(0.1)  # a read of its own for the trailers
        connection.sendall(b"a: " + b"b" * MOST_BYTES_OF_HEADERS)
        head, _, body = connection.recv(65536).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in head
    assert json.loads(body)["status"] == 400


def test_trailers_are_no_headers(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(CHUNKED + b"authorization: Bearer x\r\nx-more: y\r\n\r\n")
        assert b'["host","transfer-encoding"]' in answer(connection)


def test_trailers_are_no_headers_of_the_next_request(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(CHUNKED + b"authorization: Bearer x\r\n\r\n")
        answer(connection)
        connection.sendall(GET)
        assert b'["host"]' in answer(connection)


def test_a_long_body_in_small_pieces_is_taken(address: tuple[str, int]) -> None:
    length = 4 * MOST_BYTES_OF_HEADERS
    with connected(address) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % length)
        assert bytes_taken(connection, b"x" * 1024, length) == length
        assert b'["host","content-length"]' in answer(connection)


def test_many_requests_on_one_connection_are_answered(address: tuple[str, int]) -> None:
    padded = GET.replace(b"Host: x", b"Host: x\r\nX-Padding: " + b"x" * 20_000)
    with connected(address) as connection:
        for _ in range(10):
            connection.sendall(padded)
            assert b'["host","x-padding"]' in answer(connection)


@pytest.mark.parametrize("sent", [b"", b"G", b"\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_client_that_sends_no_whole_headers_is_not_waited_for(
    address: tuple[str, int], sent: bytes
) -> None:
    with connected(address) as connection:
        connection.sendall(sent)
        assert seconds_until_closed(connection) < 3


@pytest.mark.parametrize("sent", [b"\r\n", b"\r\n\r\n\r\n", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_an_answered_client_that_sends_no_whole_headers_is_not_waited_for(
    address: tuple[str, int], sent: bytes
) -> None:
    with connected(address) as connection:
        connection.sendall(GET)
        answer(connection)
        connection.sendall(sent)
        assert seconds_until_closed(connection) < 3


def test_the_rest_of_a_body_that_nobody_wants_is_not_waited_for(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        answer(connection)
        connection.sendall(b"x")
        assert seconds_until_closed(connection) < 3


def test_an_empty_line_before_a_request_does_no_harm(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        for _ in range(3):
            connection.sendall(b"\r\n" + GET)
            answer(connection)
            time.sleep(PATIENCE / 2)
        time.sleep(2 * PATIENCE)
        connection.sendall(GET)
        assert b'["host"]' in answer(connection)


def test_what_is_no_request_is_refused_after_an_answer_too(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(GET)
        answer(connection)
        connection.sendall(b"\x16\x03\x01\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")
