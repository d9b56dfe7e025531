"""`askagain cluster create|serve|change|snapshot|status`: a cluster as an operator runs it."""

import json
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
from executable import ASKAGAIN, environment, json_of, refused, succeeded

from support import require

SECONDS_TO_START = 120.0
MARK = "ASKAGAIN_TEST_OF_CLUSTER"
QUESTIONS = [
    {"id": f"{verb}/{number}", "title": f"How do I {verb} {thing}?"}
    for verb in ("boot", "format", "mount", "wipe")
    for number, thing in enumerate(("a USB stick", "an old laptop", "the second disk", "a phone"))
]


@dataclass
class Service:
    """A command that serves a cluster."""

    folder: Path
    url: str
    process: subprocess.Popen[bytes]
    mark: str
    client: httpx.Client

    def find(self, title: str) -> Any:
        reply = self.client.post("/v1/similar", json={"title": title, "k": 20, "explain": False})
        assert reply.status_code == 200, reply.text
        return reply.json()

    def processes(self) -> list[str]:
        """All that it has started, whoever is their parent now."""
        wanted = f"{MARK}={self.mark}".encode()
        return [name for path in Path("/proc").glob("[0-9]*") if (name := _command_of(path, wanted))]


def _command_of(process: Path, wanted: bytes) -> str:
    """Empty if it is another's, or has ended."""
    try:
        if wanted in (process / "environ").read_bytes().split(b"\0"):
            return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        pass
    return ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cluster of 16 questions in two shards."""
    require(find_spec("ray") is not None, "no Ray; pip install 'askagain[cluster]'")
    place = tmp_path_factory.mktemp("cluster")
    (place / "forum.jsonl").write_text("".join(json.dumps(each) + "\n" for each in QUESTIONS))
    succeeded("import", place / "forum.jsonl", "--archive", place / "forum.db")
    arguments = ("--archive", place / "forum.db", "--shards", 2, "--system", "bm25")
    succeeded("cluster", "create", place / "forum.cluster", *arguments)
    return place / "forum.cluster"


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    key = succeeded("keys", "add", "writer", "--scope", "write", "--archive", folder / "keys.db").split()[-1]
    mark, log = uuid.uuid4().hex, folder.with_suffix(".log")
    options = ("--port", "0", "--grace", "6", "--copies", str(folder.with_name("copies")))
    with log.open("w") as output:
        process = subprocess.Popen(
            [ASKAGAIN, "cluster", "serve", str(folder), *options],
            env={**environment(), MARK: mark},
            stdout=output,
            stderr=output,
        )
    try:
        url = _when_ready(log, process)
        headers = {"Authorization": f"Bearer {key}"}
        with httpx.Client(base_url=url, headers=headers, timeout=30) as client:
            yield Service(folder, url, process, mark, client)
    finally:
        process.terminate()
        process.wait(timeout=60)


def _when_ready(log: Path, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and process.poll() is None:
        _, said, rest = log.read_text().partition("serving on ")
        if said and "\n" in rest and _is_ready(url := rest.split()[0]):
            return url
        time.sleep(0.1)
    raise AssertionError(f"the service has not started:\n{log.read_text()}")


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=30).status_code == 200
    except httpx.TransportError:
        return False


@dataclass
class Searching:
    """Somebody who searches all the time."""

    service: Service
    answers: list[Any] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __enter__(self) -> "Searching":
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._search)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _search(self) -> None:
        with httpx.Client(base_url=self.service.url, timeout=30) as client:
            while not self._ended.wait(0.03):
                reply = client.post("/v1/similar", json={"title": "boot the second disk", "k": 20})
                if reply.status_code == 200:
                    self.answers.append(reply.json())
                else:
                    self.failures.append(reply.text)

    def wait_for(self, generation: int) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until:
            if self.answers and self.answers[-1]["generation"] == generation:
                return
            time.sleep(0.1)
        raise AssertionError(f"generation {generation} is not served: {self.failures[-3:]}")


def ranking(answer: Any) -> list[tuple[str, float]]:
    return [(match["id"], match["score"]) for match in answer["matches"]]


def test_searches_find_what_the_archive_finds(service: Service) -> None:
    archive = service.folder.with_name("forum.db")
    alone = json_of("search", "wipe a phone", "--archive", archive, "--system", "bm25", "-k", 20)

    answer = service.find("wipe a phone")

    assert ranking(answer) == [(match["id"], match["score"]) for match in alone["matches"]]
    assert (answer["partial"], answer["generation"]) == (False, 1)


def test_a_write_is_found_by_the_next_search(service: Service) -> None:
    reply = service.client.put("/v1/questions/tea%2Fpot", json={"title": "A zirconium teapot"})

    assert reply.status_code == 201
    assert ranking(service.find("zirconium"))[0][0] == "tea/pot"


def test_writes_need_a_key(service: Service) -> None:
    reply = httpx.put(f"{service.url}/v1/questions/x", json={"title": "t"}, timeout=30)

    assert reply.status_code == 401


def test_more_shards_take_over_without_a_failed_request(service: Service) -> None:
    with Searching(service) as searching:
        searching.wait_for(1)
        succeeded("cluster", "change", service.folder, "--shards", 3)
        reply = service.client.put("/v1/questions/meanwhile", json={"title": "Written meanwhile"})
        assert reply.status_code == 201
        searching.wait_for(2)
        time.sleep(8)  # the shards of the one before end

    assert searching.failures == []
    assert all(not answer["partial"] for answer in searching.answers)
    seen = [answer["generation"] for answer in searching.answers]
    assert seen == sorted(seen)
    # Statistics changed with the write in between, and with nothing else.
    assert len({tuple(ranking(answer)) for answer in searching.answers}) <= 2
    assert ranking(service.find("meanwhile"))[0][0] == "meanwhile"
    about = service.client.get("/v1/about").json()
    assert (about["generation"], about["shards"], about["questions"]) == (2, 3, 18)


def test_the_state_of_a_cluster_is_told(service: Service) -> None:
    told = json_of("cluster", "status", service.folder)

    assert told["position"] == 2
    assert [(each["number"], each["chosen"], each["shards"]) for each in told["generations"]] == [
        (1, False, 2),
        (2, True, 3),
    ]


def test_a_snapshot_is_taken_while_it_is_served(service: Service) -> None:
    succeeded("cluster", "snapshot", service.folder)

    told = json_of("cluster", "status", service.folder)
    [served] = told["generations"]  # the one that was replaced is gone
    assert served["snapshots"][-1] == {"position": 2, "questions": 18}
    assert ranking(service.find("zirconium"))[0][0] == "tea/pot"


def test_nothing_is_left_after_the_end(service: Service) -> None:
    assert len(service.processes()) > 3

    service.process.send_signal(signal.SIGTERM)

    assert service.process.wait(timeout=60) == 0
    until = time.monotonic() + 30
    while service.processes() and time.monotonic() < until:
        time.sleep(0.2)
    assert service.processes() == []


def test_a_folder_that_is_no_cluster_is_refused(folder: Path) -> None:
    for command in ("serve", "change", "snapshot", "status", "stop"):
        assert "is not a cluster" in refused("cluster", command, folder.parent)


def test_a_cluster_is_not_made_twice(folder: Path) -> None:
    archive = folder.with_name("forum.db")

    assert "exists already" in refused("cluster", "create", folder, "--archive", archive)
    assert "is not empty" in refused("cluster", "create", archive, "--archive", archive)
