"""Is anything lost when the service is killed? SIGKILL under load with writes, again and again.

python benchmarks/service_kill.py [--kills 20] [--seconds 3] [--questions 44142] [--seed 1] [--json]

The archive holds titles of askubuntu-titles. Each round starts the service with two workers, searches and
writes through it, and kills a worker (odd rounds) or all of it (even rounds) after a random while. Every
write that was acknowledged must be in the archive afterwards, and must be found by a search of the next
round; the time until the service is ready again is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from askagain.archive import Archive
from askagain.archive.records import Scope
from resample import real_questions

READY_SECONDS = 120


@dataclass
class Figures:
    """What was counted over all rounds."""

    kills: int = 0
    acknowledged: list[str] = field(default_factory=list)
    searches: int = 0
    failed_reads: int = 0
    seconds_to_ready: list[float] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    not_found: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--questions", type=int, default=44_142)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="askagain-") as folder:
        figures = measure(Path(folder) / "forum.db", options)
    rows = [
        ("kills", "kills", figures.kills),
        ("acknowledged writes", "writes", len(figures.acknowledged)),
        ("of these not in the archive", "writes", len(figures.missing)),
        ("of these not found by a search", "writes", len(figures.not_found)),
        ("searches answered", "searches", figures.searches),
        ("searches that failed while a worker was left", "searches", figures.failed_reads),
        ("slowest time until ready", "s", max(figures.seconds_to_ready)),
        (
            "median time until ready",
            "s",
            sorted(figures.seconds_to_ready)[len(figures.seconds_to_ready) // 2],
        ),
    ]
    if options.json:
        cases = [{"name": n, "unit": u, "ours": v, "peers": {}, "ratio": None} for n, u, v in rows]
        print(json.dumps({"cases": cases}))
    else:
        for name, unit, value in rows:
            print(f"{name:50} {value:>10,.2f} {unit}")


def measure(path: Path, options: argparse.Namespace) -> Figures:
    with Archive.open(path) as archive:
        archive.put_many(real_questions("askubuntu-titles")[: options.questions])
        key = archive.add_key("killer", Scope.WRITE)
    chance = random.Random(options.seed)
    figures = Figures()
    start(path)[0].send_signal(signal.SIGTERM)  # builds the indexes once
    for round_ in range(options.kills):
        process, url, seconds = start(path)
        figures.seconds_to_ready.append(seconds)
        look_up(url, figures)
        one_round(process, url, key, round_, chance.uniform(0.2, 1.0) * options.seconds, figures)
        figures.kills += 1
        with Archive.open(path) as archive:
            present = archive.numbers(figures.acknowledged)
        figures.missing = [id_ for id_ in figures.acknowledged if id_ not in present]
    return figures


def start(path: Path) -> tuple[subprocess.Popen[str], str, float]:
    """The service, its address, and the seconds until it was ready."""
    began = time.monotonic()
    log = path.with_suffix(".log")
    command = [sys.executable, "-m", "askagain", "serve", "--archive", path, "--port", "0", "--workers", "2"]
    with log.open("w") as output:
        process = subprocess.Popen(
            command, stderr=output, text=True, env={**os.environ, "ASKAGAIN_SERVE_RATE": "0"}
        )
    while time.monotonic() - began < READY_SECONDS:
        found = re.search(r"serving on (\S+)", log.read_text())
        if found and ready(found[1]):
            return process, found[1], time.monotonic() - began
        time.sleep(0.02)
    raise SystemExit(f"the service did not start:\n{log.read_text()}")


def ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=READY_SECONDS).status_code == 200
    except httpx.HTTPError:
        return False


def title_of(id_: str) -> str:
    return f"The rare word {id_.replace('-', 'x')} was written"


def look_up(url: str, figures: Figures) -> None:
    """The last writes of the round before."""
    with httpx.Client(base_url=url, timeout=30) as client:
        for id_ in figures.acknowledged[-20:]:
            parameters = {"title": title_of(id_), "min_probability": 0.0, "explain": False}
            found = client.get("/v1/similar", params=parameters).json()["matches"]
            if id_ not in [match["id"] for match in found]:
                figures.not_found.append(id_)


def one_round(
    process: subprocess.Popen[str], url: str, key: str, round_: int, seconds: float, figures: Figures
) -> None:
    ended = threading.Event()
    threads = [
        threading.Thread(target=write, args=(url, key, round_, ended, figures)),
        threading.Thread(target=search, args=(url, ended, figures)),
    ]
    for thread in threads:
        thread.start()
    try:
        time.sleep(seconds)
        if round_ % 2:
            os.kill(workers_of(process.pid)[0], signal.SIGKILL)
            time.sleep(1.0)
        # First the one that would start others.
        for pid in (process.pid, *workers_of(process.pid)):
            os.kill(pid, signal.SIGKILL)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        process.wait()


def workers_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def write(url: str, key: str, round_: int, ended: threading.Event, figures: Figures) -> None:
    """Each write is tried again by the next number only: what was not acknowledged does not count."""
    number = 0
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=10) as client:
        while not ended.is_set():
            id_ = f"kill-{round_}-{number}"
            number += 1
            try:
                reply = client.put(f"/v1/questions/{id_}", json={"title": title_of(id_)})
            except httpx.HTTPError:
                continue
            if reply.status_code == 201:
                figures.acknowledged.append(id_)


def search(url: str, ended: threading.Event, figures: Figures) -> None:
    with httpx.Client(base_url=url, timeout=10) as client:
        while not ended.is_set():
            try:
                reply = client.get("/v1/similar", params={"title": "How do I boot from USB?"})
            except httpx.HTTPError:
                continue
            if reply.status_code == 200:
                figures.searches += 1
            else:
                figures.failed_reads += 1


if __name__ == "__main__":
    main()
