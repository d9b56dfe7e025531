"""What one process of a cluster's HTTP service holds: engines over all shards, and a desk."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException

from askagain.archive import Archive
from askagain.closing import Closing
from askagain.cluster.desk import Desk
from askagain.cluster.gateway import Asked, Found, Reach, ShardedEngine
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.errors import UnreachableError
from askagain.service.manner import Manner, manner_of
from askagain.service.problems import RETRY_AFTER
from askagain.service.settings import ServiceSettings

Result = TypeVar("Result")

_SECONDS_BETWEEN_LOOKS: Final = 0.5
_MOST_TOGETHER: Final = 16
# Sixteen searches together cost half as much as one by one. Whoever was answered may ask again at once, so
# the next ones wait for company: this share of the time that the last ones took, but not for long.
_SHARE_OF_TIME_TO_GATHER: Final = 0.1
_MOST_SECONDS_TO_GATHER: Final = 0.02
# While some searches wait for the shards, others are worked on.
_LANES: Final = 2

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search has found, and how: both of one generation."""

    found: Found
    manner: Manner


@dataclass(frozen=True, slots=True)
class _Served:
    """A generation with all that is needed to serve it: an engine for each lane, and a desk."""

    generation: Generation
    engines: tuple[ShardedEngine, ...]
    desk: Desk
    manner: Manner

    def search_together(self, lane: int, many: Sequence[Asked]) -> list[Answer]:
        least = self.manner.threshold
        asked = [replace(each, least=least) if each.least is None else each for each in many]
        return [Answer(found, self.manner) for found in self.engines[lane].search_together(asked)]


class _Lane:
    """A thread that searches, and the task that brings it work as long as there is some."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.thread = ThreadPoolExecutor(1, f"search-{number}")
        self._task: asyncio.Task[None] | None = None

    @property
    def is_free(self) -> bool:
        return self._task is None or self._task.done()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        # Kept, because the loop itself does not keep its tasks.
        self._task = asyncio.get_running_loop().create_task(work)


class ClusterService(Closing):
    """Searches that have come in while others were under way are answered together, by the next free lane.

    A second lane begins when there are as many as are answered together: fewer would cost more each.

    When another generation was chosen, its shards are connected beside the present ones; a search is answered
    by the one or by the other.
    """

    def __init__(self, settings: ServiceSettings, folder: ClusterFolder, reach: Reach) -> None:
        self.settings = settings
        self._folder = folder
        self._reach = reach
        self._served = self._connected_to_newest()
        self.archive = Archive.open(folder.keys)
        self._waiting: list[tuple[Asked, asyncio.Future[Answer]]] = []
        self._lanes = [_Lane(number) for number in range(_LANES)]
        self._desk = ThreadPoolExecutor(1, "desk")
        self._at_desk = 0
        self._closed = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="watch", daemon=True)
        self._watching.start()

    def close(self) -> None:
        """Finishes what has begun, and lets go of the shards."""
        self._closed.set()
        self._watching.join()
        self._let_go_of(self._served)
        for lane in self._lanes:
            lane.thread.shutdown()
        self._desk.shutdown()
        self.archive.close()

    @property
    def generation(self) -> Generation:
        """The one that is served here now."""
        return self._served.generation

    @property
    def manner(self) -> Manner:
        """How the generation that is served here now searches."""
        return self._served.manner

    # Searches

    async def search(self, asked: Asked) -> Answer:
        """The matches of a question; without a least probability, those above the threshold."""
        if len(self._waiting) >= self.settings.waiting:
            raise HTTPException(503, "too many searches are waiting: try again", {"Retry-After": RETRY_AFTER})
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, answered))
        free = [lane for lane in self._lanes if lane.is_free]
        if len(free) == len(self._lanes) or (free and len(self._waiting) >= _MOST_TOGETHER):
            free[0].begin(self._answer_all(free[0]))
        try:
            return await asyncio.wait_for(answered, self.settings.request_seconds)
        except TimeoutError as error:
            raise _takes_too_long() from error

    async def _answer_all(self, lane: _Lane) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            some, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
            some = [(asked, answered) for asked, answered in some if not answered.done()]
            served = self._served
            began = loop.time()
            try:
                answers = await loop.run_in_executor(
                    lane.thread, served.search_together, lane.number, [asked for asked, _ in some]
                )
            except Exception as error:
                for _, answered in some:
                    if not answered.done():
                        answered.set_exception(error)
            else:
                for (_, answered), each in zip(some, answers, strict=True):
                    if not answered.done():
                        answered.set_result(each)
            taken = loop.time() - began
            await asyncio.sleep(min(_SHARE_OF_TIME_TO_GATHER * taken, _MOST_SECONDS_TO_GATHER))

    # Reads and writes

    async def at_desk(self, work: Callable[[Desk], Result]) -> Result:
        """Runs reads and writes of single questions, one after the other."""
        if self._at_desk >= self.settings.waiting:
            raise HTTPException(503, "too many requests are waiting: try again", {"Retry-After": RETRY_AFTER})
        self._at_desk += 1
        desk, give_up_at = self._served.desk, time.monotonic() + self.settings.request_seconds

        def work_in_time() -> Result:
            desk.give_up_at = give_up_at
            return work(desk)

        running = asyncio.get_running_loop().run_in_executor(self._desk, work_in_time)
        try:
            return await asyncio.wait_for(running, self.settings.request_seconds)
        except TimeoutError as error:
            raise _takes_too_long() from error
        finally:
            self._at_desk -= 1

    # Generations

    def _connected_to_newest(self) -> _Served:
        """The generation that was chosen, or the one before it as long as its shards are being started."""
        chosen = self._folder.current.number
        *before, first = [each for each in reversed(self._folder.generations()) if each.number <= chosen]
        for generation in before:
            with suppress(UnreachableError):
                return self._connected(generation)
        return self._connected(first)

    def _connected(self, generation: Generation) -> _Served:
        with ExitStack() as stack:
            engines = tuple(
                stack.enter_context(ShardedEngine(self._folder, generation, self._reach(generation)))
                for _ in range(_LANES)
            )
            for engine in engines:
                engine.get_ready()
            desk = Desk(self._folder, generation, self._reach(generation))
            stack.pop_all()
        return _Served(generation, engines, desk, manner_of(engines[0].engine, self.settings))

    def _watch(self) -> None:
        """Looks whether another generation was chosen."""
        while not self._closed.wait(_SECONDS_BETWEEN_LOOKS):
            try:
                chosen = self._folder.current
                if chosen.number != self.generation.number:
                    self._change_to(chosen)
            except UnreachableError:
                continue  # its shards are being started
            except Exception:
                # Whatever it is, the generation before goes on, and this is tried again.
                logger.exception("the generation that was chosen cannot be served")

    def _change_to(self, generation: Generation) -> None:
        before, self._served = self._served, self._connected(generation)
        logger.warning("generation %s is served now", generation.number)
        self._let_go_of(before)

    def _let_go_of(self, served: _Served) -> None:
        """Whoever has begun with it ends with it."""
        for lane, engine in zip(self._lanes, served.engines, strict=True):
            lane.thread.submit(engine.close)
        self._desk.submit(served.desk.close)


def _takes_too_long() -> HTTPException:
    return HTTPException(503, "this takes too long: try again", {"Retry-After": RETRY_AFTER})
