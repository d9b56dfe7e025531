"""How a command uses Ray: it joins a cluster, or starts one on this machine, and hands out its work there."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from askagain.errors import AskagainError, ClusterError
from askagain.extras import check_cluster

SECONDS_TO_ANSWER: Final = 5.0
MOST_RETRIES: Final = 20
"""So often a task is begun anew because its worker has died; one that kills its workers must end."""

# Ray has sockets in its folder, whose whole names must not be longer than about a hundred characters.
_SHORT_FOLDER: Final = "/tmp"
_CLIENT_SCHEME: Final = "ray://"
_FIND_IT: Final = "auto"
_AUTHENTICATION: Final = "RAY_AUTH_MODE"
# Of so many tasks for each core one is running, and the next ones lie ready.
_TASKS_PER_CORE: Final = 3

Shared = TypeVar("Shared")
Input = TypeVar("Input")
Result = TypeVar("Result")


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Ray is there inside: the cluster at an address, or without one all cores of this machine.

    An address is HOST:PORT, ray://HOST:PORT, or "auto" for a cluster that runs on this machine. A process
    that is connected already stays so, and only the one that starts Ray here ends it.
    """
    check_cluster()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_IGNORE_UNHANDLED_ERRORS"] = "1"  # of tasks that were given up: nobody waits for them
    if address is None or _is_here(address):
        # Ray listens on all networks of a machine, and looks for others there, unless it takes it for one
        # that has none. It looks at this when it is imported.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    import ray

    if ray.is_initialized():
        yield
        return
    with _started() if address is None else _joined(address):
        yield


def _is_here(address: str) -> bool:
    """Whether only processes of this machine can be at an address."""
    return address.removeprefix(_CLIENT_SCHEME).startswith(("127.0.0.1:", "localhost:"))


@contextmanager
def _started() -> Iterator[None]:
    folder = tempfile.mkdtemp(
        prefix="askagain-ray-", dir=_SHORT_FOLDER if Path(_SHORT_FOLDER).is_dir() else None
    )
    failed = "Ray cannot be started on this machine"
    try:
        with _initialised(failed, address="local", include_dashboard=False, _temp_dir=folder):
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _joined(address: str) -> Iterator[None]:
    check_address(address)
    hint = "" if _AUTHENTICATION in os.environ else f" (if it asks for a token, set {_AUTHENTICATION}=token)"
    with _initialised(f"cannot join the Ray cluster at {address}{hint}", address=address):
        yield


@contextmanager
def _initialised(failed: str, **settings: Any) -> Iterator[None]:
    import ray

    try:
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **settings)
        except (RuntimeError, ValueError, OSError, SystemExit) as error:
            raise ClusterError(f"{failed}: {first_line(error)}") from error
        yield
    finally:
        ray.shutdown()


def check_address(address: str) -> None:
    """An error unless something answers there; commands ask before they begin.

    Ray itself waits for more than a minute for what is not there, and then ends the process.
    """
    check_cluster()
    if address == _FIND_IT or os.environ.get("RAY_USE_TLS", "0") in ("1", "true"):
        return  # Ray knows at once, or it has certificates that we do not
    import grpc

    where = address.removeprefix(_CLIENT_SCHEME)
    with grpc.insecure_channel(where, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=SECONDS_TO_ANSWER)
        except grpc.FutureTimeoutError:
            raise ClusterError(
                f"no Ray cluster answers at {address}: give HOST:PORT of its head, which ray start --head "
                "tells, or leave --address out to start Ray on this machine"
            ) from None


@dataclass(frozen=True, slots=True)
class Failed:
    """What has become of a task that gives no result, in one line."""

    reason: str


def results(
    work: Callable[[Shared, Input], Result], shared: Shared, inputs: Iterable[Input]
) -> Iterator[tuple[Input, Result | Failed]]:
    """What `work` makes of each input on some worker, as it comes in; `shared` is sent to a node once.

    Inputs are read as workers get free. A task whose worker or node dies is done again elsewhere. To be
    called while connected; `work` must be a function of a module that workers have.
    """
    import ray

    task = ray.remote(num_cpus=1, max_retries=MOST_RETRIES)(work)
    sent = ray.put(shared)
    running: dict[Any, Input] = {}
    try:
        for each in inputs:
            while len(running) >= _room():
                yield from _finished(running)
            running[task.remote(sent, each)] = each
        while running:
            yield from _finished(running)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def _room() -> int:
    """Nodes come and go, and with them cores."""
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return _TASKS_PER_CORE * max(1, int(resources.get("CPU", 1)))


def _finished(running: dict[Any, Input]) -> Iterator[tuple[Input, Any]]:
    """Takes those out that have ended, after waiting for one."""
    import ray

    ended, _ = ray.wait(list(running), num_returns=1)
    for reference in ended:
        yield running.pop(reference), _outcome(reference)


def _outcome(reference: Any) -> Any:
    import ray

    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        expected = isinstance(error.cause, AskagainError)
        said = first_line(error.cause)
        return Failed(said if expected else f"{type(error.cause).__name__}: {said}")
    except ray.exceptions.RayError as error:
        return Failed(f"{type(error).__name__}: {first_line(error)}")


def first_line(error: BaseException) -> str:
    """Of what an error says, the first line that says something."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
