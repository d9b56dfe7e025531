"""Shards on the nodes of a Ray cluster: replicas that Ray Serve starts, watches and replaces."""

from __future__ import annotations

import logging
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import ray
from ray import serve
from ray.exceptions import RayError, RayTaskError
from ray.serve.exceptions import RayServeException
from ray.serve.handle import DeploymentHandle

from askagain.cluster.connecting import first_line
from askagain.cluster.copies import own_shard
from askagain.cluster.gateway import ShardedEngine
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.settings import ClusterSettings
from askagain.cluster.shard import Answer, Call
from askagain.errors import AskagainError, ClusterError, UnreachableError

# Not a line for each request.
_LOGGING: Final = {"log_level": "WARNING", "enable_access_log": False}
_MOST_WAITING: Final = 1000
_SECONDS_TO_GET_TO_KNOW: Final = 20.0
_SECONDS_OF_THE_FIRST_ATTEMPT: Final = 1.0
_SECONDS_AT_LEAST: Final = 2.5
_SECONDS_AFTER_AN_ERROR: Final = 0.2
_SECONDS_BETWEEN_CALLS: Final = 0.5
_REQUESTS_PER_REPLICA: Final = 2
_SECONDS_OF_LOAD_BEFORE_MORE: Final = 5.0
# Of an application on Ray Serve: some replicas of one that has started may be away.
_STARTED: Final = ("RUNNING", "UNHEALTHY")
_BEGUN: Final = ("NOT_STARTED", "DEPLOYING", *_STARTED)


@serve.deployment(
    max_ongoing_requests=_MOST_WAITING,
    health_check_period_s=2,
    graceful_shutdown_timeout_s=5,
    logging_config=_LOGGING,
)
class Replica:
    """One replica of a shard, with a copy of its own.

    Its methods are coroutines, though they wait for nothing, because Ray Serve runs those one at a time in
    one thread. A plain method gets a new thread for each request, where indexes need new working memory.
    """

    def __init__(self, cluster: str, generation: int, shard: int, copies: str) -> None:
        folder = ClusterFolder.open(Path(cluster))
        described = folder.generation(generation)
        self._stack = ExitStack()
        place = Path(copies) if copies else Path(tempfile.gettempdir()) / f"askagain-copies-{os.getuid()}"
        self._shard = self._stack.enter_context(own_shard(place, folder, described, shard))
        self._log = folder.log

    async def answer(self, position: int, calls: Sequence[Call]) -> Answer:
        """What the shard says."""
        return self._shard.answer(position, calls)

    async def check_health(self) -> None:
        """Called by Ray Serve from time to time, which replaces a replica that fails.

        One that nobody asks would fall behind until the log has forgotten what it lacks.
        """
        self._shard.advance(self._log.end(self._shard.position))

    async def process(self) -> int:
        """The process that answers."""
        return os.getpid()


@serve.deployment(ray_actor_options={"num_cpus": 0})
class Together:
    """Binds the shards of a generation to one application."""

    def __init__(self, *shards: DeploymentHandle[Any]) -> None:
        self._shards = len(shards)

    def count(self) -> int:
        """How many shards there are."""
        return self._shards


def deploy(
    folder: ClusterFolder, generation: Generation, settings: ClusterSettings, name: str | None = None
) -> None:
    """Starts the shards of a generation, unless they were started, and waits until all can answer.

    To start them once more would replace all replicas: those that are there stay as they are.
    """
    name = name or application(folder, generation)
    _start_serve()
    while (status := _status_of(name)) in _BEGUN:
        if status in _STARTED:
            return
        time.sleep(_SECONDS_BETWEEN_CALLS)
    shards = [
        Replica.options(name=_deployment(shard), **_options(settings)).bind(  # type: ignore[attr-defined]
            str(folder.path.resolve()), generation.number, shard, settings.copies
        )
        for shard in range(generation.shards)
    ]
    try:
        serve.run(Together.bind(*shards), name=name, route_prefix=None)  # type: ignore[attr-defined]
    except (RuntimeError, RayError) as error:
        raise ClusterError(f"the shards cannot be started: {first_line(error)}") from error


def _start_serve() -> None:
    """Without proxies: requests come through the HTTP service. What it does it tells its own logs."""
    _be_quiet()
    serve.start(proxy_location="Disabled", logging_config=_LOGGING)
    _be_quiet()  # it has set the level anew


def _be_quiet() -> None:
    logging.getLogger("ray.serve").setLevel(logging.WARNING)


def _options(settings: ClusterSettings) -> dict[str, Any]:
    """As Ray Serve takes them."""
    options: dict[str, Any] = {"ray_actor_options": {"num_cpus": settings.cpus}}
    if settings.most_replicas > settings.replicas:
        options["autoscaling_config"] = {
            "min_replicas": settings.replicas,
            "max_replicas": settings.most_replicas,
            "target_ongoing_requests": _REQUESTS_PER_REPLICA,
            "upscale_delay_s": _SECONDS_OF_LOAD_BEFORE_MORE,
        }
    else:
        options["num_replicas"] = settings.replicas
    living = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    if len(living) >= max(settings.replicas, settings.most_replicas) > 1:
        # Two replicas of a shard on one node would die together.
        options["max_replicas_per_node"] = 1
    return options


def end_before(folder: ClusterFolder, generation: Generation) -> None:
    """Ends the shards of generations that services have served before this one."""
    numbered = re.compile(re.escape(_name(folder)) + r"-(\d+)")
    for name in list(serve.status().applications):
        found = numbered.fullmatch(name)
        if found and int(found[1]) < generation.number:
            serve.delete(name)


def stop(folder: ClusterFolder) -> int:
    """Ends all shards of a cluster, of whichever generation; gives how many generations there were."""
    _be_quiet()
    names = [name for name in serve.status().applications if name.startswith(_name(folder))]
    for name in names:
        serve.delete(name)
    return len(names)


def is_there(folder: ClusterFolder, generation: Generation) -> bool:
    """Whether its shards were started, or are being started."""
    return _status_of(application(folder, generation)) in _BEGUN


def reached(
    folder: ClusterFolder, generation: Generation, seconds: float, name: str | None = None
) -> FarShards:
    """The shards of a generation that was deployed; an error as long as they have not started."""
    _be_quiet()
    name = name or application(folder, generation)
    if _status_of(name) not in _STARTED:
        raise UnreachableError(f"the shards of generation {generation.number} are not there yet: wait")
    return FarShards(name, generation, seconds)


def _status_of(name: str) -> str | None:
    """Of an application, if there is one."""
    found = serve.status().applications.get(name)
    return None if found is None else str(found.status.value)


@contextmanager
def searching(
    folder: ClusterFolder, settings: ClusterSettings, purpose: str
) -> Iterator[tuple[ShardedEngine, str]]:
    """An engine over the shards of the current generation, and the name of their application.

    Those that a service has started are used. If there are none, some are started for this purpose alone, and
    end with it: a service that comes later has its own. Whoever is killed leaves them to the next one with
    the same purpose.
    """
    generation = folder.current
    _start_serve()
    name, served = application(folder, generation), is_there(folder, generation)
    if not served:
        name = f"{name}-{sha256(purpose.encode()).hexdigest()[:8]}"
    try:
        if not served:
            deploy(folder, generation, settings, name)
        shards = FarShards(name, generation, settings.shard_seconds)
        with ShardedEngine(folder, generation, shards) as engine:
            yield engine, name
    finally:
        if not served:
            serve.delete(name)


def application(folder: ClusterFolder, generation: Generation) -> str:
    """The name of a generation's application on Ray Serve."""
    return f"{_name(folder)}-{generation.number:04}"


def _name(folder: ClusterFolder) -> str:
    return f"askagain-{folder.id[:8]}"


def _deployment(shard: int) -> str:
    return f"shard-{shard:04}"


class FarShards:
    """Asks replicas: if one fails another one is asked, until the time is up.

    A shard without an answer is lost: nobody waits for it until it has answered a call in the background.
    """

    def __init__(self, name: str, generation: Generation, seconds: float) -> None:
        self._seconds = seconds
        self._handles = [
            serve.get_deployment_handle(_deployment(shard), name) for shard in range(generation.shards)
        ]
        self._lost: set[int] = set()
        self._closed = threading.Event()
        # The first request of a handle also waits until Ray Serve has told it about replicas.
        self._asked_within(_SECONDS_TO_GET_TO_KNOW, 0, dict.fromkeys(range(self.shards), ()))

    @property
    def shards(self) -> int:
        """How many there are."""
        return len(self._handles)

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        """Asks all at once; whoever cannot be reached in time has no answer."""
        return self._asked_within(self._seconds, position, calls)

    def close(self) -> None:
        """Nobody is looked for any more."""
        self._closed.set()

    def _asked_within(
        self, seconds: float, position: int, calls: Mapping[int, Sequence[Call]]
    ) -> dict[int, Answer]:
        deadline = time.monotonic() + seconds
        requests = {
            shard: _Request(self._handles[shard], position, some)
            for shard, some in calls.items()
            if shard not in self._lost
        }
        # Who comes after one that is lost must not be lost for that.
        answers = {
            shard: request.answer(max(deadline, time.monotonic() + _SECONDS_AT_LEAST))
            for shard, request in requests.items()
        }
        for shard, answer in answers.items():
            if answer is None:
                self._look_for(shard)
        return {shard: answer for shard, answer in answers.items() if answer is not None}

    def _look_for(self, shard: int) -> None:
        self._lost.add(shard)
        threading.Thread(target=self._call_until_it_answers, args=(shard,), daemon=True).start()

    def _call_until_it_answers(self, shard: int) -> None:
        while not self._closed.wait(_SECONDS_BETWEEN_CALLS):
            request = _Request(self._handles[shard], 0, ())
            if request.answer(time.monotonic() + self._seconds) is not None:
                self._lost.discard(shard)
                return


class _Request:
    """One that is under way."""

    def __init__(self, handle: DeploymentHandle[Any], position: int, calls: Sequence[Call]) -> None:
        self._begin = partial(handle.answer.remote, position, tuple(calls))
        self._response: Any = self._begin()

    def answer(self, deadline: float) -> Answer | None:
        """None if no replica has answered in time; an error if all that answered had one."""
        patience = _SECONDS_OF_THE_FIRST_ATTEMPT
        said: AskagainError | None = None
        while True:
            left = deadline - time.monotonic()
            try:
                answer: Answer = self._response.result(timeout_s=max(0.01, min(left, patience)))
            except RayTaskError as error:
                # Another replica may have no such trouble.
                said = _expected(error)
                time.sleep(_SECONDS_AFTER_AN_ERROR)
            except (RayError, RayServeException, TimeoutError):
                self._response.cancel()
                # A replica that takes long may be dead, or have much to do: each time it gets longer.
                patience *= 2
            else:
                return answer
            if time.monotonic() >= deadline:
                if said is not None:
                    raise said
                return None
            self._response = self._begin()


def _expected(error: RayTaskError) -> AskagainError:
    cause = error.cause
    return (
        cause
        if isinstance(cause, AskagainError)
        else ClusterError(f"a shard has failed: {first_line(cause)}")
    )
