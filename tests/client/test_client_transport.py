"""How calls are sent: connections that stay open, and what is tried again."""

import os
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

import pytest

from askagain.client import (
    Client,
    ServerError,
    TooLargeError,
    TooManyRequestsError,
    UnavailableError,
    UnreachableError,
)
from askagain.question import Question, Verdict
from client.scripted import Answer, Break, scripted
from support import require

MATCHES = Answer(json={"matches": []})
SEQUENCE = Answer(202, json={"sequence": 7})
BUSY = Answer(503, headers={"Retry-After": "0"})
TOO_OFTEN = Answer(429, headers={"Retry-After": "0"})


def test_calls_of_a_thread_share_a_connection() -> None:
    with scripted(MATCHES) as service, Client(service.url) as client:
        client.similar("first")
        client.similar("second")

    assert len({asked.connection for asked in service.asked}) == 1


def test_threads_have_connections_of_their_own() -> None:
    together = threading.Barrier(2)

    def ask(client: Client) -> None:
        together.wait(timeout=5)
        client.similar("anything")

    with scripted(MATCHES) as service, Client(service.url) as client, ThreadPoolExecutor(2) as threads:
        list(threads.map(ask, [client, client]))

    assert len({asked.connection for asked in service.asked}) == 2


def test_a_connection_that_lay_idle_too_long_is_replaced_before_anything_is_sent() -> None:
    with scripted(SEQUENCE) as service, Client(service.url) as client:
        client.feedback("asked", "found", Verdict.DUPLICATE)
        service.hang_up()
        time.sleep(0.05)
        client.feedback("asked", "found", Verdict.DUPLICATE)  # which is never sent a second time

    assert len(service.asked) == 2


def test_a_forked_process_does_not_use_its_parents_connection() -> None:
    with scripted(MATCHES) as service, Client(service.url) as client:
        client.similar("of the parent")
        child = os.fork()
        if child == 0:
            client.similar("of the child")
            os._exit(0)
        os.waitpid(child, 0)

    assert len({asked.connection for asked in service.asked}) == 2


def test_after_close_a_call_opens_a_new_connection() -> None:
    with scripted(MATCHES) as service, Client(service.url) as client:
        client.similar("before")
        client.close()
        client.similar("after")

    assert len({asked.connection for asked in service.asked}) == 2


def test_a_call_that_broke_is_sent_again() -> None:
    with scripted(Break(), MATCHES) as service, Client(service.url) as client:
        assert client.similar("anything") == []

    assert len(service.asked) == 2


def test_after_all_tries_the_error_is_raised() -> None:
    with (
        scripted(BUSY) as service,
        Client(service.url, retries=1) as client,
        pytest.raises(UnavailableError),
    ):
        client.similar("anything")

    assert len(service.asked) == 2


def test_feedback_is_not_sent_again_when_it_may_have_been_counted() -> None:
    with (
        scripted(Break(), SEQUENCE) as service,
        Client(service.url) as client,
        pytest.raises(UnreachableError),
    ):
        client.feedback("asked", "found", Verdict.DUPLICATE)

    assert len(service.asked) == 1


def test_a_question_without_an_id_is_not_sent_again_when_it_may_have_been_added() -> None:
    with scripted(BUSY) as service, Client(service.url) as client, pytest.raises(UnavailableError):
        client.add(Question("What is my id?"))

    assert len(service.asked) == 1


def test_what_was_refused_for_too_many_requests_is_sent_again_whatever_it_is() -> None:
    with scripted(TOO_OFTEN, SEQUENCE) as service, Client(service.url) as client:
        assert client.feedback("asked", "found", Verdict.DUPLICATE) == 7


def test_other_failures_of_the_service_are_not_tried_again() -> None:
    with scripted(Answer(500)) as service, Client(service.url) as client, pytest.raises(ServerError):
        client.about()

    assert len(service.asked) == 1


def test_the_pause_that_the_service_asks_for_is_kept() -> None:
    with (
        scripted(Answer(503, headers={"Retry-After": "1"}), MATCHES) as service,
        Client(service.url) as client,
    ):
        started = time.monotonic()
        client.similar("anything")

    assert time.monotonic() - started >= 1.0


def test_a_long_pause_is_left_to_the_caller() -> None:
    long = Answer(429, headers={"Retry-After": "3600"})
    with (
        scripted(long) as service,
        Client(service.url) as client,
        pytest.raises(TooManyRequestsError) as caught,
    ):
        client.similar("anything")

    assert caught.value.retry_after == 3600
    assert len(service.asked) == 1


def test_a_reply_that_does_not_come_in_time_is_an_error_that_says_so() -> None:
    with (
        scripted(Answer(after=5.0)) as service,
        Client(service.url, timeout=0.05, retries=0) as client,
        pytest.raises(UnreachableError, match=r"has not answered in 0\.05 seconds"),
    ):
        client.about()


def test_where_nothing_listens_the_error_names_the_host() -> None:
    with scripted(MATCHES) as service:
        url = service.url

    with pytest.raises(UnreachableError, match=r"127\.0\.0\.1 cannot be reached .*refused"):
        Client(url, retries=0).about()


def test_a_late_reply_is_not_taken_for_that_of_the_next_call() -> None:
    late = Answer(json={"sequence": 1}, after=0.2)
    with scripted(late, SEQUENCE) as service, Client(service.url, timeout=0.05, retries=0) as client:
        with pytest.raises(UnreachableError):
            client.feedback("asked", "found", Verdict.DUPLICATE)
        time.sleep(0.3)
        assert client.feedback("asked", "found", Verdict.DUPLICATE) == 7


def test_a_refusal_before_all_was_sent_is_understood() -> None:
    refusal = Answer(413, json={"detail": "too much"}, unread=True)
    with (
        scripted(refusal) as service,
        Client(service.url) as client,
        pytest.raises(TooLargeError, match="too much"),
    ):
        client.similar("large", "x" * 5_000_000)


def test_the_service_may_live_below_a_path() -> None:
    with scripted(MATCHES) as service, Client(f"{service.url}/forum/askagain/") as client:
        client.similar("anything")

    assert service.asked[0].target == "/forum/askagain/v1/similar"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A key and a certificate for 127.0.0.1 that nobody has signed, in one file."""
    path = tmp_path / "server.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test"
    options = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path), "-out", str(tmp_path / "cert")]
    try:
        subprocess.run([*command.split(), *options], check=True, capture_output=True)
    except FileNotFoundError:
        require(False, "no openssl here: install it to test https")
    path.write_bytes(path.read_bytes() + (tmp_path / "cert").read_bytes())
    return path


def _tls(certificate: Path) -> SSLContext:
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def test_https_is_spoken_with_a_service_that_is_trusted(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with scripted(MATCHES, tls=_tls(certificate)) as service, Client(service.url) as client:
        assert client.similar("first") == client.similar("second") == []

    assert len({asked.connection for asked in service.asked}) == 1


def test_https_with_a_service_that_is_not_trusted_is_an_error(certificate: Path) -> None:
    with (
        scripted(MATCHES, tls=_tls(certificate)) as service,
        Client(service.url, key="secret", retries=0) as client,
        pytest.raises(UnreachableError, match="certificate"),
    ):
        client.similar("anything")

    assert service.asked == []
