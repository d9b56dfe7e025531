"""Who may not, and what must not happen."""

import socket
import time
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from askagain import Archive, Question
from askagain.archive.records import Scope
from running_service import RunningService, running_service

NEW = {"title": "A question"}
MARK = {"first": "cooking-1", "second": "cooking-2", "verdict": "duplicate"}
WRITES = [
    ("POST", "/v1/questions", NEW),
    ("PUT", "/v1/questions/cooking-1", NEW),
    ("DELETE", "/v1/questions/cooking-1", None),
    ("POST", "/v1/questions/bulk", None),
    ("POST", "/v1/marks", MARK),
    ("DELETE", "/v1/marks?first=cooking-1&second=cooking-2", None),
    ("POST", "/v1/feedback", {"title": "x", "id": "cooking-1", "verdict": "duplicate"}),
]


def sequence(client: httpx.Client) -> int:
    return int(client.get("/v1/about").json()["sequence"])


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ask_wrong",
        "Basic YTpi",
        "bearer\tx",
        "Bearer ask_" + "x" * 10_000,
        "Bearer ü",
    ],
)
def test_no_write_without_a_valid_key(
    anybody: httpx.Client, method: str, path: str, body: object, authorization: str
) -> None:
    before = sequence(anybody)
    headers = {"Authorization": authorization.encode()} if authorization else {}
    reply = anybody.request(method, path, json=body, headers=headers)
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"] == "Bearer"
    assert sequence(anybody) == before


@pytest.mark.parametrize(("method", "path", "body"), WRITES[:4])
def test_a_moderator_may_not_write_questions(
    moderator: httpx.Client, method: str, path: str, body: object
) -> None:
    assert moderator.request(method, path, json=body).status_code == 403


@pytest.mark.parametrize(("method", "path", "body"), WRITES[4:6])
def test_a_writer_may_not_set_marks(writer: httpx.Client, method: str, path: str, body: object) -> None:
    assert writer.request(method, path, json=body).status_code == 403


def test_an_expired_or_revoked_key_is_refused(anybody: httpx.Client, archive_path: Path) -> None:
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    with Archive.open(archive_path) as archive:
        expired = archive.add_key("expired", Scope.WRITE, expires=yesterday)
        revoked = archive.add_key("revoked", Scope.WRITE)
        headers = {"Authorization": f"Bearer {revoked}"}
        question = {"id": "by-a-key", "title": "x"}
        assert anybody.post("/v1/questions", json=question, headers=headers).status_code == 201
        archive.revoke_key("revoked")
    assert anybody.post("/v1/questions", json=question, headers=headers).status_code == 401
    headers = {"Authorization": f"Bearer {expired}"}
    assert anybody.post("/v1/questions", json=question, headers=headers).status_code == 401


def test_a_key_is_never_in_the_log(service: RunningService, writer: httpx.Client, archive_path: Path) -> None:
    secret = "a question nobody should read in a log"
    writer.post("/v1/questions", json={"id": "logged", "title": secret}).raise_for_status()
    writer.get("/v1/similar", params={"title": secret}).raise_for_status()
    writer.get("/v1/similar", params={"title": secret, "key": service.writer})
    log = archive_path.with_suffix(".log").read_text()
    assert '"route": "/v1/questions"' in log
    assert service.writer not in log
    assert "nobody should read" not in log


def test_keyed_reads_need_a_key(tmp_path: Path) -> None:
    path, config = tmp_path / "forum.db", tmp_path / "service.toml"
    config.write_text('reads = "keyed"\n')
    with Archive.open(path) as archive:
        archive.add(Question(id="q", title="A question"))
        reader = archive.add_key("reader", Scope.READ)
    with running_service(path, "--config", str(config)) as running:
        url = f"{running.url}/v1/similar?title=question"
        assert httpx.get(url).status_code == 401
        assert httpx.get(url, headers={"Authorization": f"Bearer {reader}"}).status_code == 200
        written = httpx.post(
            f"{running.url}/v1/questions", json=NEW, headers={"Authorization": f"Bearer {reader}"}
        )
        assert written.status_code == 403
        assert httpx.get(f"{running.url}/").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/settings.py",
        "/static//etc/passwd",
        "/static/web/../../settings.py",
        "/v1/model/..%2f..%2fbest%2fconfig.toml",
        "/v1/model/../../../etc/passwd",
        "/v1/model/config.toml",
        "/static/\x00",
        "/static/index.html%00.css",
    ],
)
def test_no_path_leads_out_of_the_folder(service: RunningService, path: str) -> None:
    reply = raw(service, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode("latin-1"))
    assert reply.split(b" ")[1] in (b"400", b"404")
    assert b"root:" not in reply
    assert b"import" not in reply


def raw(service: RunningService, request: bytes, seconds: float = 30) -> bytes:
    """What comes back to exactly these bytes."""
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port), timeout=seconds) as connection:
        connection.sendall(request)
        pieces = []
        while piece := connection.recv(65536):
            pieces.append(piece)
    return b"".join(pieces)


def post(body: bytes, *headers: str) -> bytes:
    lines = [
        "POST /v1/similar HTTP/1.1",
        "Host: x",
        "Connection: close",
        "Content-Type: application/json",
        *headers,
    ]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


def status(reply: bytes) -> int:
    return int(reply.split(b" ")[1])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"[" * 500_000, 400),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 400),
        (b'{"title": ' + b"9" * 500_000 + b"}", 400),
        (b'{"title": "x", "k": 1e999}', 422),
        (b'{"title": "x", "min_probability": NaN}', 422),
        (b"\xff\xfe\x00", 400),
        (b"", 422),
        (b"null", 422),
        (b'{"title": "x", "title": 5}', 422),
    ],
)
def test_a_bomb_in_json_is_an_error_of_the_client(
    service: RunningService, body: bytes, expected: int
) -> None:
    assert status(raw(service, post(body))) == expected


def test_compressed_bodies_are_not_unpacked(service: RunningService) -> None:
    assert status(raw(service, post(b"\x1f\x8b" + b"x" * 1000, "Content-Encoding: gzip"))) == 415


def test_a_body_that_is_too_large_is_not_read(service: RunningService) -> None:
    head = b"POST /v1/similar HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n"
    assert status(raw(service, head)) == 413


def test_a_body_of_unknown_length_is_cut_off(service: RunningService) -> None:
    address = urlsplit(service.url)
    head = b"POST /v1/similar HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(head)
        piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with suppress(OSError):  # when the service has hung up
            for _ in range(40):
                connection.sendall(piece)
        assert status(connection.recv(65536)) == 413


def test_endless_headers_end_the_connection(service: RunningService) -> None:
    address = urlsplit(service.url)
    sent = 0
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        with suppress(OSError):
            while sent < 10_000_000:
                connection.sendall(b"X-Padding: " + b"x" * 10_000 + b"\r\n")
                sent += 10_000
    assert sent < 10_000_000


def test_a_slow_client_is_not_waited_for(tmp_path: Path) -> None:
    path, config = tmp_path / "forum.db", tmp_path / "service.toml"
    config.write_text("arrival_seconds = 1.0\n")
    with Archive.open(path) as archive:
        archive.add(Question(id="q", title="A question"))
    with running_service(path, "--config", str(config)) as running:
        start = time.monotonic()
        reply = raw(running, post(b'{"title": "x"}')[:-5])
        assert status(reply) == 408
        assert time.monotonic() - start < 8


def test_a_client_that_hangs_up_is_no_failure_of_the_service(
    service: RunningService, anybody: httpx.Client, archive_path: Path
) -> None:
    address = urlsplit(service.url)
    lines = ["Host: x", f"Authorization: Bearer {service.writer}", "Content-Type: application/x-ndjson"]
    head = "\r\n".join(["POST /v1/questions/bulk HTTP/1.1", *lines, "Content-Length: 1000", "", ""])
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(head.encode() + b'{"id": "hung-up"')
        time.sleep(0.2)
    counted = 'method="POST",route="/v1/questions/bulk",status="499"'
    end = time.monotonic() + 30
    while counted not in anybody.get("/metrics").text:
        assert time.monotonic() < end
        time.sleep(0.05)
    log = archive_path.with_suffix(".log").read_text()
    assert '"status": 499' in log
    assert "the service has failed" not in log
    assert "Traceback" not in log


def test_open_connections_do_not_keep_others_out(tmp_path: Path) -> None:
    path, config = tmp_path / "forum.db", tmp_path / "service.toml"
    config.write_text("connections = 3\n")
    with Archive.open(path) as archive:
        archive.add(Question(id="q", title="A question"))
    with running_service(path, "--config", str(config)) as running, ExitStack() as idle:
        address = urlsplit(running.url)
        for _ in range(5):
            idle.enter_context(socket.create_connection((address.hostname, address.port), timeout=30))
        assert httpx.get(f"{running.url}/healthz").status_code == 200
        assert httpx.get(f"{running.url}/v1/similar?title=question").status_code == 200


def test_a_request_id_cannot_carry_headers_or_lines(anybody: httpx.Client) -> None:
    reply = anybody.get("/healthz", headers={"X-Request-ID": "a" * 100})
    assert reply.headers["x-request-id"] != "a" * 100
    for bad in ("x y", "<script>", "é", '"', "a;b"):
        given = anybody.get("/healthz", headers={"X-Request-ID": bad.encode()}).headers["x-request-id"]
        assert given != bad
    assert anybody.get("/healthz", headers={"X-Request-ID": "abc-1"}).headers["x-request-id"] == "abc-1"


def test_an_id_cannot_split_the_answer(writer: httpx.Client) -> None:
    bad = "x\r\nSet-Cookie: a=b"
    assert writer.post("/v1/questions", json={"id": bad, "title": "x"}).status_code == 422
    reply = writer.put("/v1/questions/x%0d%0aSet-Cookie:%20a=b", json={"title": "x"})
    assert reply.status_code in (404, 422)
    assert "set-cookie" not in reply.headers


SQL = "'; DROP TABLE questions; --"


def test_sql_is_text_in_every_field(writer: httpx.Client, moderator: httpx.Client) -> None:
    question = dict.fromkeys(("id", "title", "body", "created", "url", "answer"), SQL) | {"tags": [SQL]}
    writer.post("/v1/questions", json=question).raise_for_status()
    assert writer.get("/v1/questions/%27%3B%20DROP%20TABLE%20questions%3B%20--").json() == question
    writer.get("/v1/similar", params={"title": SQL, "system": "bm25"}).raise_for_status()
    mark = {"first": SQL, "second": "cooking-1", "verdict": "duplicate"}
    moderator.post("/v1/marks", json=mark).raise_for_status()
    moderator.delete("/v1/marks", params={"first": SQL, "second": "cooking-1"}).raise_for_status()
    moderator.post("/v1/feedback", json={"title": SQL, "id": SQL, "verdict": "duplicate"}).raise_for_status()
    assert writer.get("/v1/about").json()["questions"] >= 357
    writer.delete("/v1/questions/%27%3B%20DROP%20TABLE%20questions%3B%20--").raise_for_status()


def test_answers_cannot_be_taken_for_pages(anybody: httpx.Client) -> None:
    for path in ("/v1/about", "/v1/similar?title=x", "/nothing-here", "/static/style.css"):
        headers = anybody.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]


def test_the_page_runs_only_its_own_scripts(anybody: httpx.Client) -> None:
    policy = anybody.get("/").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_other_sites_may_ask_only_if_they_are_named(tmp_path: Path) -> None:
    path, config = tmp_path / "forum.db", tmp_path / "service.toml"
    config.write_text('origins = ["https://forum.example"]\n')
    with Archive.open(path) as archive:
        archive.add(Question(id="q", title="A question"))
    with running_service(path, "--config", str(config)) as running:
        url = f"{running.url}/v1/similar?title=question"
        named = httpx.get(url, headers={"Origin": "https://forum.example"}).headers
        other = httpx.get(url, headers={"Origin": "https://evil.example"}).headers
        assert named["access-control-allow-origin"] == "https://forum.example"
        assert "access-control-allow-origin" not in other


def test_a_client_that_asks_too_often_must_wait(tmp_path: Path) -> None:
    path, config = tmp_path / "forum.db", tmp_path / "service.toml"
    config.write_text("rate = 1.0\nburst = 5\n")
    with Archive.open(path) as archive:
        archive.add(Question(id="q", title="A question"))
        keyed = archive.add_key("backend", Scope.READ)
    with (
        running_service(path, "--config", str(config)) as running,
        httpx.Client(base_url=running.url) as client,
    ):
        replies = [client.get("/v1/similar", params={"title": "question"}) for _ in range(12)]
        assert 429 in [reply.status_code for reply in replies]
        refused = next(reply for reply in replies if reply.status_code == 429)
        assert int(refused.headers["retry-after"]) >= 1
        assert client.get("/healthz").status_code == 200
        mine = client.get("/v1/about", headers={"Authorization": f"Bearer {keyed}"})
        assert mine.status_code == 200
        made_up = {"Authorization": "Bearer ask_made-up"}
        assert client.get("/v1/about", headers=made_up).status_code == 429


def test_hostile_bodies_are_shown_as_text(writer: httpx.Client, anybody: httpx.Client) -> None:
    hostile = '<img src=x onerror="alert(1)">\u202e\u0000zirkon &lt;script&gt;'
    writer.post("/v1/questions", json={"id": "h", "title": "Zirkon", "body": hostile}).raise_for_status()
    excerpt = anybody.post("/v1/similar", json={"title": "zirkon", "k": 1}).json()["matches"][0]["excerpt"]
    assert "onerror" not in excerpt
    writer.delete("/v1/questions/h")
