"""How many people can type at once? The service under load, beside what people build today.

python benchmarks/service.py [--seconds 60] [--connections 32] [--workers 2] [--json]

Both answer `GET /v1/similar?title=…` for the dev questions of askubuntu-titles on its 44,142 titles, each
request another one, in the same run: askagain with its default system and reasons, and a FastAPI endpoint
that encodes with MiniLM and searches with numpy (`service_peer.py`), both with two processes. Then askagain
once more while 20 questions a second are written, each of which must be found. The load comes from wrk
(Debian package wrk), over loopback only. Before they are measured, both get some seconds of the same load.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from askagain.archive import Archive
from askagain.archive.records import Scope
from askagain.client import Client
from askagain.encoders.transformer import load_sentences
from askagain.evaluation.benchmarks import RetrievalBenchmark, load
from askagain.question import Question
from cases import OURS, Case, render

REPOSITORY = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
PEER = "MiniLM + numpy"
WRITES_PER_SECOND = 20
SECONDS_TO_START = 300
SECONDS_TO_WARM_UP = 10

_SCRIPT = """
local paths = {}
for line in io.lines("%s") do paths[#paths + 1] = line end
local threads = 0
function setup(thread) thread:set("start", threads * 1009); threads = threads + 1 end
function init() place = start end
function request() place = place + 1; return wrk.format("GET", paths[place %% #paths + 1]) end
"""
_UNITS = {"us": 1e-3, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Load:
    """What wrk has measured; times in milliseconds."""

    rate: float
    median: float
    p99: float
    errors: int


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def benchmark() -> RetrievalBenchmark:
    loaded = load(DATA / "askubuntu-titles", "dev", ("title",))
    assert isinstance(loaded, RetrievalBenchmark)
    return loaded


def write_script(folder: Path, titles: Sequence[str]) -> Path:
    from urllib.parse import quote

    paths = folder / "paths.txt"
    paths.write_text("".join(f"/v1/similar?title={quote(title)}\n" for title in titles), encoding="utf-8")
    script = folder / "load.lua"
    script.write_text(_SCRIPT % paths, encoding="utf-8")
    return script


def require_wrk() -> None:
    """To be called before anything is built for a load."""
    if shutil.which("wrk") is None:
        sys.exit("this needs wrk for the load: install the Debian package wrk")


def wrk(address: str, script: Path, seconds: int, connections: int) -> Load:
    command = [
        "wrk",
        "-t1",
        f"-c{connections}",
        f"-d{seconds}s",
        "--timeout",
        "30s",
        "--latency",
        "-s",
        script,
    ]
    told = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    log(told)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", told)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", told)
    broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", told)
    assert rate is not None
    errors = int(refused[1]) if refused else 0
    errors += sum(map(int, broken.groups())) if broken else 0
    return Load(float(rate[1]), _percentile(told, 50), _percentile(told, 99), errors)


def _percentile(told: str, which: int) -> float:
    found = re.search(rf"{which}%\s+([\d.]+)(us|ms|s|m)\b", told)
    assert found is not None
    return float(found[1]) * _UNITS[found[2]]


@contextmanager
def running(command: Sequence[str | Path], **environment: str) -> Iterator[str]:
    """A server that says where it listens; it is ended by its id."""
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **environment}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stderr is not None
    try:
        address = next(match[1] for line in process.stderr if (match := re.search(r"(http://\S+:\d+)", line)))
        threading.Thread(target=lambda: [None for _ in process.stderr or ()], daemon=True).start()
        yield address
    finally:
        process.terminate()
        process.wait(30)


def wait_until_answered(address: str) -> None:
    from urllib.error import URLError
    from urllib.request import urlopen

    end = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            with urlopen(f"{address}/v1/similar?title=ready", timeout=60):
                return
        except (URLError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def warm_up(address: str, script: Path, connections: int) -> None:
    wait_until_answered(address)
    log("not counted:")
    wrk(address, script, SECONDS_TO_WARM_UP, connections)


def ours(archive: Path, workers: int) -> list[str | Path]:
    serve = [sys.executable, "-m", "askagain", "serve", "--archive", archive, "--port", "0"]
    return [*serve, "--workers", str(workers)]


def theirs(workers: int) -> list[str | Path]:
    serve = [sys.executable, "-m", "uvicorn", "--factory", "service_peer:app", "--port", "0"]
    return [*serve, "--app-dir", Path(__file__).parent, "--workers", str(workers), "--no-access-log"]


def prepare(folder: Path, questions: Sequence[Question]) -> Path:
    """The archive, and the peer's vectors."""
    vectors = folder / "vectors.npy"
    np.save(vectors, load_sentences().encode(questions).dense)
    (folder / "titles.json").write_text(json.dumps([question.title for question in questions]))
    path = folder / "forum.db"
    with Archive.open(path) as archive:
        archive.put_many(questions)
    return path


class Writer:
    """Writes questions at a steady pace, and looks each up by a search."""

    def __init__(self, address: str, key: str) -> None:
        self._client = Client(address, key)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.written: list[str] = []
        self.failed: list[str] = []

    def __enter__(self) -> Writer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _write(self) -> None:
        start = time.monotonic()
        while not self._ended.wait(
            max(0.0, start + len(self.written) / WRITES_PER_SECOND - time.monotonic())
        ):
            id_ = f"written-{len(self.written)}"
            self._client.put(Question(id=id_, title=_title(len(self.written))))
            self.written.append(id_)

    def not_found(self) -> list[str]:
        """Of what was acknowledged."""
        return [
            id_
            for number, id_ in enumerate(self.written)
            if id_
            not in [match.id for match in self._client.similar(_title(number), k=5, min_probability=0.0)]
        ]


def _title(number: int) -> str:
    return f"Writing the rare word zq{number:06d}xk to the archive"


def measure(options: argparse.Namespace, folder: Path) -> tuple[list[Case], list[str]]:
    loaded = benchmark()
    script = write_script(
        folder, [question.title for question in loaded.questions if question.id in loaded.relevant]
    )
    path = prepare(folder, loaded.questions)
    with Archive.open(path) as archive:
        key = archive.add_key("benchmark", Scope.WRITE)
    loads = {}
    limits = {"ASKAGAIN_SERVE_RATE": "0"}
    with running(theirs(options.workers), SERVICE_PEER=str(folder)) as address:
        warm_up(address, script, options.connections)
        loads[PEER] = wrk(address, script, options.seconds, options.connections)
    with running(ours(path, options.workers), **limits) as address:
        warm_up(address, script, options.connections)
        loads[OURS] = wrk(address, script, options.seconds, options.connections)
        with Writer(address, key) as writer:
            writing = wrk(address, script, options.seconds, options.connections)
        missing = writer.not_found()
    cases = [
        Case("requests a second", "requests/s", {name: each.rate for name, each in loads.items()}),
        Case("median", "ms", {name: each.median for name, each in loads.items()}),
        Case("99th percentile", "ms", {name: each.p99 for name, each in loads.items()}),
        Case(f"requests a second with {WRITES_PER_SECOND} writes/s", "requests/s", {OURS: writing.rate}),
        Case("99th percentile then", "ms", {OURS: writing.p99}),
    ]
    remarks = [
        f"errors: {loads[OURS].errors}, while writing: {writing.errors}, {PEER}: {loads[PEER].errors}",
        f"99th percentile / median: {loads[OURS].p99 / loads[OURS].median:.1f}",
        f"acknowledged writes: {len(writer.written)}, of these not found: {len(missing)}",
    ]
    return cases, remarks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    require_wrk()
    with TemporaryDirectory(prefix="askagain-") as folder:
        cases, remarks = measure(options, Path(folder))
    if options.json:
        print(json.dumps({"cases": [case.to_json() for case in cases], "remarks": remarks}))
    else:
        print(render(cases, [[PEER]]))
        print("\n".join(remarks))


if __name__ == "__main__":
    main()
