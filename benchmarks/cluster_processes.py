"""What the processes of a service use, by the parts that they play."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]

from cluster_nodes import title_of

GATEWAY, REPLICA, RAY, STARTER = "answering requests", "replicas of shards", "Ray itself", "starting others"

_MEGABYTE = 1024 * 1024


@dataclass
class Usage:
    """Seconds of CPU by part, in how many seconds; megabytes at the end, of how many processes."""

    cpu: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    seconds: float = 0.0
    megabytes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    processes: Counter[str] = field(default_factory=Counter)

    def cores(self) -> dict[str, float]:
        """How many cores each part has kept busy on average."""
        return {part: seconds / self.seconds for part, seconds in self.cpu.items()}

    def megabytes_each(self, part: str) -> float:
        """Of one process of a part."""
        return self.megabytes[part] / max(1, self.processes[part])


@contextmanager
def used_by(address: str, usage: Usage) -> Iterator[None]:
    """Adds what the processes of the service at an address use while the block runs."""
    root = _listening(address)
    before, began = _cpu_seconds(root), time.monotonic()
    yield
    usage.seconds += time.monotonic() - began
    after, parts = _cpu_seconds(root), parts_of(root)
    usage.megabytes.clear()
    usage.processes.clear()
    for process, seconds in after.items():
        part = parts.get(process, RAY)
        usage.cpu[part] += seconds - before.get(process, 0.0)
        usage.megabytes[part] += process.memory_info().rss / _MEGABYTE
        usage.processes[part] += 1


def _listening(address: str) -> psutil.Process:
    """The process, started by this one, that listens there."""
    port = urlsplit(address).port
    for process in psutil.Process().children():
        if any(connection.laddr.port == port for connection in process.net_connections("inet")):
            return process
    raise SystemExit(f"no process of this benchmark listens at {address}")


def _family(root: psutil.Process) -> list[psutil.Process]:
    return [root, *root.children(recursive=True)]


def _cpu_seconds(root: psutil.Process) -> dict[psutil.Process, float]:
    seconds = {}
    for process in _family(root):
        times = process.cpu_times()
        seconds[process] = times.user + times.system
    return seconds


def parts_of(root: psutil.Process) -> dict[psutil.Process, str]:
    """What each process of a service is; the first one answers requests itself if it is the only one."""
    parts = {process: part_of(title_of(process)) for process in _family(root)}
    others = [part for process, part in parts.items() if process != root]
    parts[root] = STARTER if GATEWAY in others else GATEWAY
    return parts


def part_of(title: str) -> str:
    """By what a process calls itself."""
    if title.startswith("ray::ServeReplica:") and ":shard-" in title:
        return REPLICA
    if "ray::" in title or "/ray/" in title or "resource_tracker" in title:
        return RAY
    return GATEWAY
