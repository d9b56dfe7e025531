"""What one process of a cluster's HTTP service holds: an engine over all shards, and a desk."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeVar

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

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search has found, and how: both of one generation."""

    found: Found
    manner: Manner


@dataclass(frozen=True, slots=True)
class _Served:
    """A generation with all that is needed to serve it."""

    engine: ShardedEngine
    desk: Desk
    manner: Manner

    def search_together(self, many: Sequence[Asked]) -> list[Answer]:
        least = self.manner.threshold
        asked = [replace(each, least=least) if each.least is None else each for each in many]
        return [Answer(found, self.manner) for found in self.engine.search_together(asked)]

    def close(self) -> None:
        self.engine.close()
        self.desk.close()


class ClusterService(Closing):
    """Searches that have come in while others were under way are answered together, by one thread.

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
        self._searching = ThreadPoolExecutor(1, "search")
        self._desk = ThreadPoolExecutor(1, "desk")
        self._answering: asyncio.Task[None] | None = None
        self._at_desk = 0
        self._closed = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="watch", daemon=True)
        self._watching.start()

    def close(self) -> None:
        """Finishes what has begun, and lets go of the shards."""
        self._closed.set()
        self._searching.shutdown()
        self._desk.shutdown()
        self._watching.join()
        self._served.close()
        self.archive.close()

    @property
    def generation(self) -> Generation:
        """The one that is served here now."""
        return self._served.engine.generation

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
        if self._answering is None or self._answering.done():
            # Kept, because the loop itself does not keep its tasks.
            self._answering = asyncio.get_running_loop().create_task(self._answer_all())
        try:
            return await asyncio.wait_for(answered, self.settings.request_seconds)
        except TimeoutError as error:
            raise _takes_too_long() from error

    async def _answer_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            some, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
            some = [(asked, answered) for asked, answered in some if not answered.done()]
            served = self._served
            try:
                answers = await loop.run_in_executor(
                    self._searching, served.search_together, [asked for asked, _ in some]
                )
            except Exception as error:
                for _, answered in some:
                    if not answered.done():
                        answered.set_exception(error)
            else:
                for (_, answered), each in zip(some, answers, strict=True):
                    if not answered.done():
                        answered.set_result(each)

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
        engine = ShardedEngine(self._folder, generation, self._reach(generation))
        try:
            engine.get_ready()
            desk = Desk(self._folder, generation, self._reach(generation))
            return _Served(engine, desk, manner_of(engine.engine, self.settings))
        except BaseException:
            engine.close()
            raise

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
        # Whoever has begun with the old one ends with it.
        self._searching.submit(before.engine.close)
        self._desk.submit(before.desk.close)


def _takes_too_long() -> HTTPException:
    return HTTPException(503, "this takes too long: try again", {"Retry-After": RETRY_AFTER})
