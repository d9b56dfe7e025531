"""A Ray cluster of several nodes on this machine, and services on it, for the cluster's benchmark."""

from __future__ import annotations

import logging
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil  # type: ignore[import-untyped]

from service import SECONDS_TO_START
from service_kill import ready

KILLS = ("node", "raylet", "process")
LOOPBACK = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # Ray then listens on loopback only
}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
SECONDS_TO_END = 60
MEGABYTES_OF_OBJECTS = 100
CORES_OF_A_NODE = 2

_IDLE = ("ray::IDLE", "ray::DashboardAgent", "ray::RuntimeEnvAgent")


class Nodes:
    """A head, which does no work and lives on, and workers, each a raylet with processes of its own.

    A worker has an address of its own on loopback, so that whoever joins the cluster joins it at the head.
    """

    def __init__(self, workers: int, folder: Path) -> None:
        os.environ |= LOOPBACK
        from ray.cluster_utils import Cluster

        objects: dict[str, Any] = {"object_store_memory": MEGABYTES_OF_OBJECTS * 1_000_000}
        head = {"num_cpus": 0, "include_dashboard": False, "temp_dir": str(folder), **objects}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self._settings = {"num_cpus": CORES_OF_A_NODE, **objects}
        self._started = 0
        self._living: list[Any] = []
        for _ in range(workers):
            self.add()

    @property
    def address(self) -> str:
        """Of the head."""
        return str(self._cluster.address)

    def add(self) -> None:
        """One more worker."""
        self._started += 1
        ip = f"127.0.{1 + self._started // 200}.{1 + self._started % 200}"
        self._living.append(self._cluster.add_node(node_ip_address=ip, **self._settings))

    def kill(self, kind: str, chance: random.Random) -> bool:
        """Kills a random worker with all its processes, its raylet alone, or one process, of those at work.

        A worker that was killed is replaced by a new one. Gives whether anything was at work to be killed.
        """
        at_work = [(node, process) for node in self._living for process in _processes_at_work(node)]
        if not at_work:
            return False
        node, process = chance.choice(at_work)
        if kind == "process":
            _kill([process])
            return True
        raylet = _raylet(node)
        _kill([raylet, *raylet.children(recursive=True)] if kind == "node" else [raylet])
        self._living.remove(node)
        self._cluster.remove_node(node, allow_graceful=False)
        self.add()
        return True

    def close(self) -> None:
        """End all of it."""
        self._cluster.shutdown()  # type: ignore[no-untyped-call]


def _raylet(node: Any) -> psutil.Process:
    [started] = node.all_processes["raylet"]
    return psutil.Process(started.process.pid)


def _processes_at_work(node: Any) -> list[psutil.Process]:
    titles = {process: title_of(process) for process in _raylet(node).children()}
    return [
        process
        for process, title in titles.items()
        if title.startswith("ray::") and not title.startswith(_IDLE)
    ]


def title_of(process: psutil.Process) -> str:
    """What a process calls itself; nothing if it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _kill(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        try:
            process.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue  # it has ended with its parent


@contextmanager
def nodes(workers: int) -> Iterator[Nodes]:
    """A cluster, with which this process is connected."""
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        started = Nodes(workers, Path(folder))
        import ray

        try:
            ray.init(address=started.address, log_to_driver=False, logging_level=logging.ERROR)
            yield started
        finally:
            ray.shutdown()
            started.close()


def cluster_serve(folder: Path, copies: Path, *options: str | Path) -> list[str | Path]:
    command: list[str | Path] = [sys.executable, "-m", "askagain", "cluster", "serve", folder]
    return [*command, "--port", "0", "--copies", copies, *options]


@contextmanager
def serving(command: Sequence[str | Path], **settings: str) -> Iterator[str]:
    """A service of ours, alone or on a cluster, without a limit for one client; gives its address."""
    environment = {**os.environ, **ONE_THREAD, **LOOPBACK, "ASKAGAIN_SERVE_RATE": "0", **settings}
    with TemporaryDirectory(prefix="askagain-") as folder:
        said = Path(folder) / "said.log"
        with said.open("w") as output:
            process = subprocess.Popen(command, stderr=output, env=environment)
        try:
            yield _address(process, said)
        finally:
            process.terminate()
            process.wait(SECONDS_TO_END)


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    """Where the service listens, when it can answer."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"serving on (http://\S+)", said.read_text())
        if found and ready(found[1]):
            return found[1]
        time.sleep(0.2)
    raise SystemExit(f"the service does not get ready:\n{said.read_text()[-5000:]}")
