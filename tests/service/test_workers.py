"""Several processes on one archive: they see each other's writes, and nothing acknowledged is ever lost."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from askagain import Archive, Question
from running_service import ASKAGAIN, RunningService, running_service


@pytest.fixture
def small_archive(tmp_path: Path) -> Path:
    path = tmp_path / "forum.db"
    with Archive.open(path) as archive:
        archive.put_many(Question(id=f"q{number}", title=f"Question number {number}") for number in range(50))
    return path


def ids_found(url: str, title: str) -> list[str]:
    parameters = {"title": title, "min_probability": 0.0, "explain": False}
    reply = httpx.get(f"{url}/v1/similar", params=parameters, timeout=30)
    return [match["id"] for match in reply.json()["matches"]]


def workers_of(pid: int) -> list[int]:
    """The processes that answer."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def put(running: RunningService, id: str, title: str) -> None:
    with running.writing() as client:
        client.put(Question(id=id, title=title))


def test_every_worker_finds_what_any_of_them_has_written(small_archive: Path) -> None:
    with running_service(small_archive, "--workers", "2") as running:
        put(running, "new", "A zirconium teapot")
        # Each request opens its own connection, which any of the two may take.
        assert all(ids_found(running.url, "zirconium teapot")[:1] == ["new"] for _ in range(20))


def test_a_worker_that_is_killed_is_replaced_while_the_other_answers(small_archive: Path) -> None:
    with running_service(small_archive, "--workers", "2") as running:
        before = workers_of(running.pid)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        put(running, "new", "A zirconium teapot")
        assert ids_found(running.url, "zirconium teapot")[:1] == ["new"]
        wait_until(lambda: len(workers_of(running.pid)) == 2 and before[0] not in workers_of(running.pid))


def test_the_log_tells_that_a_worker_was_replaced(small_archive: Path) -> None:
    log = small_archive.with_suffix(".log")
    with running_service(small_archive, "--workers", "2") as running:
        # One that dies while it is still starting is missed only after some time.
        wait_until(lambda: sum(entry["message"].startswith("ready") for entry in entries_of(log)) == 2)
        killed = workers_of(running.pid)[0]
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: bool(warnings_in(log)))
    assert len(warnings_in(log)) == 1
    assert f"worker {killed} has died (exit code -9)" in warnings_in(log)[0]


def warnings_in(log: Path) -> list[str]:
    return [entry["message"] for entry in entries_of(log) if entry["level"] == "warning"]


def entries_of(log: Path) -> list[dict[str, str]]:
    """From whichever process; all whole lines after the one with the address are JSON."""
    _, _, said = log.read_text().partition("serving on ")
    return [json.loads(line) for line in said.split("\n")[1:-1]]


def wait_until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_nothing_acknowledged_is_lost_when_the_service_is_killed(
    small_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKAGAIN_SERVE_RATE", "0")
    acknowledged: list[str] = []
    for round_ in range(2):
        with running_service(small_archive, "--workers", "2") as running:
            writer = threading.Thread(target=write_until_it_fails, args=(running, round_, acknowledged))
            writer.start()
            time.sleep(0.5)
            for pid in (running.pid, *workers_of(running.pid)):
                os.kill(pid, signal.SIGKILL)
            writer.join(60)
    assert len(acknowledged) > 1
    with Archive.open(small_archive) as archive:
        assert not [id_ for id_ in acknowledged if id_ not in archive]
    with running_service(small_archive) as running:
        assert ids_found(running.url, title_of(acknowledged[-1]))[:1] == [acknowledged[-1]]


def title_of(id: str) -> str:
    return f"The rare word {id.replace('-', 'x')}"


def write_until_it_fails(running: RunningService, round_: int, acknowledged: list[str]) -> None:
    with httpx.Client(base_url=running.url, headers={"Authorization": f"Bearer {running.writer}"}) as client:
        for number in range(100_000):
            id_ = f"written-{round_}-{number}"
            try:
                reply = client.put(f"/v1/questions/{id_}", json={"title": title_of(id_)})
            except httpx.HTTPError:
                return
            assert reply.status_code == 201
            acknowledged.append(id_)


def test_workers_end_with_their_parent(small_archive: Path) -> None:
    with running_service(small_archive, "--workers", "2") as running:
        workers = workers_of(running.pid)
        os.kill(running.pid, signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def test_a_request_that_was_accepted_is_finished_at_the_end(small_archive: Path) -> None:
    accepted = threading.Event()
    replies: list[httpx.Response] = []

    def lines() -> Iterator[bytes]:
        yield b'{"id": "before", "title": "Sent before the end"}\n' * 1000
        accepted.set()
        time.sleep(1.0)
        yield b'{"id": "after", "title": "Sent after it was told to end"}\n'

    def send(running: RunningService) -> None:
        headers = {"Authorization": f"Bearer {running.writer}", "Content-Type": "application/x-ndjson"}
        url = f"{running.url}/v1/questions/bulk"
        replies.append(httpx.post(url, content=lines(), headers=headers, timeout=60))

    with running_service(small_archive) as running:
        sending = threading.Thread(target=send, args=(running,))
        sending.start()
        assert accepted.wait(60)
        time.sleep(0.5)
    sending.join(60)
    assert replies[0].json()["added"] == 2


def test_a_port_that_is_taken_is_an_error_in_one_line(small_archive: Path) -> None:
    with running_service(small_archive) as running:
        port = running.url.rpartition(":")[2]
        command = [ASKAGAIN, "serve", "--archive", small_archive, "--port", port]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "choose another --port" in refused.stderr.splitlines()[-1]


def test_a_host_that_is_not_ours_is_an_error_in_one_line(small_archive: Path) -> None:
    elsewhere = "192.0.2.1"  # an address for documentation, which no machine has
    command = [ASKAGAIN, "serve", "--archive", small_archive, "--host", elsewhere, "--port", "0"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "choose another --host" in refused.stderr.splitlines()[-1]


def test_ctrl_c_ends_the_service_cleanly(small_archive: Path) -> None:
    command = [ASKAGAIN, "serve", "--archive", small_archive, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "startup complete" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert "Traceback" not in process.stderr.read()
