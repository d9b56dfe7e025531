"""What one process of the service holds: the archive, its engine, and the threads that use them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from starlette.exceptions import HTTPException

from askagain.archive import Archive
from askagain.closing import Closing
from askagain.engine import Engine
from askagain.mining.grouping import Grouping
from askagain.mining.pairs import LikelyPairs
from askagain.question import Match, Question
from askagain.ranker import CalibratedRanker
from askagain.service.manner import manner_of
from askagain.service.models import shown_model
from askagain.service.problems import RETRY_AFTER
from askagain.service.settings import ServiceSettings
from askagain.systems import READY_TO_USE, TRAINABLE_SYSTEMS, WITH_SENTENCE_ENCODER
from askagain.trained import model_folder

Result = TypeVar("Result")

_READING_THREADS = 4


class Service(Closing):
    """Searches wait in one queue for one thread: the kernels use a whole core, and nobody overtakes."""

    def __init__(self, settings: ServiceSettings, engine: Engine) -> None:
        self.settings = settings
        self.engine = engine
        self.pairs = LikelyPairs.open(engine) if isinstance(engine.ranker, CalibratedRanker) else None
        self.grouping = Grouping(engine.archive, self.pairs)
        self.shown = shown_model(engine.archive.path, engine.ranker.name, settings.model)
        self._others: dict[str, Engine] = {}
        self._searching = ThreadPoolExecutor(1, "search")
        self._reading = ThreadPoolExecutor(_READING_THREADS, "read")
        # One, because SQLite lets one write at a time; of its own, so that no read waits for a write.
        self._writing = ThreadPoolExecutor(1, "write")
        self.waiting = 0
        self._waiting_for_archive = 0

    @classmethod
    def open(cls, settings: ServiceSettings) -> Service:
        """The service of an archive, ready to answer."""
        engine = Engine.open(settings.archive, settings.system or None, model=settings.model or None)
        try:
            service = cls(settings, engine)
            engine.search(Question(title="ready?"), 1)
        except BaseException:
            engine.close()
            raise
        return service

    @property
    def archive(self) -> Archive:
        """The only truth."""
        return self.engine.archive

    @property
    def calibrated(self) -> bool:
        """Whether probabilities come from marks of this archive."""
        return manner_of(self.engine, self.settings).calibrated

    @property
    def threshold(self) -> float:
        """The probability below which nothing is suggested unless a request asks for it."""
        return manner_of(self.engine, self.settings).threshold

    async def search(
        self, question: Question, k: int, least: float | None, *, explain: bool, system: str | None
    ) -> list[Match]:
        """The matches of a question, with the system of the archive or another one."""
        if not (question.title.strip() or question.body.strip()):
            return []
        search = partial(
            self._search,
            question,
            k,
            self.threshold if least is None else least,
            explain=explain,
            system=system,
        )
        return await self.in_turn(search)

    def _search(
        self, question: Question, k: int, least: float, *, explain: bool, system: str | None
    ) -> list[Match]:
        engine = self.engine if system in (None, self.engine.ranker.name) else self._other(str(system))
        return engine.search(question, k, explain="words" if explain else "none", min_probability=least)

    def systems(self) -> list[str]:
        """The systems that can search here now: those that need no training, and those that had it."""
        trained = [name for name in TRAINABLE_SYSTEMS if model_folder(self.archive.path, name).is_dir()]
        own = self.engine.ranker.name
        # A sentence encoder would have to read the whole archive first.
        ready = [name for name in READY_TO_USE if name not in WITH_SENTENCE_ENCODER]
        return [own, *(name for name in dict.fromkeys((*ready, *trained)) if name != own)]

    def _other(self, system: str) -> Engine:
        if system not in self.systems():
            known = ", ".join(self.systems())
            raise HTTPException(404, f"no system {system[:40]!r} can search here: choose one of {known}")
        if system not in self._others:
            self._others[system] = self.engine.with_system(system)
        return self._others[system]

    async def in_turn(self, work: Callable[[], Result]) -> Result:
        """Runs work on the thread that searches, after all that came before."""
        if self.waiting >= self.settings.waiting:
            raise HTTPException(503, "too many searches are waiting: try again", {"Retry-After": RETRY_AFTER})
        self.waiting += 1
        try:
            return await self._in_time(self._searching, work)
        finally:
            self.waiting -= 1

    async def between_searches(self, work: Callable[[], Result]) -> Result:
        """The same for work that nobody waits for: it takes as long as it takes."""
        return await asyncio.get_running_loop().run_in_executor(self._searching, work)

    async def read(self, work: Callable[[], Result]) -> Result:
        """Runs work that reads the archive."""
        return await self._with_archive(self._reading, work)

    async def write(self, work: Callable[[], Result]) -> Result:
        """Runs work that changes the archive."""
        return await self._with_archive(self._writing, work)

    async def write_at_length(self, work: Callable[[], Result]) -> Result:
        """The same for work that takes as long as it takes."""
        return await asyncio.get_running_loop().run_in_executor(self._writing, work)

    async def _with_archive(self, executor: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        if self._waiting_for_archive >= self.settings.waiting:
            raise HTTPException(503, "too many requests are waiting: try again", {"Retry-After": RETRY_AFTER})
        self._waiting_for_archive += 1
        try:
            return await self._in_time(executor, work)
        finally:
            self._waiting_for_archive -= 1

    async def _in_time(self, executor: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        running: Awaitable[Result] = asyncio.get_running_loop().run_in_executor(executor, work)
        try:
            return await asyncio.wait_for(running, self.settings.request_seconds)
        except TimeoutError as error:
            raise HTTPException(
                503, "this takes too long: try again", {"Retry-After": RETRY_AFTER}
            ) from error

    def close(self) -> None:
        """Finishes what has begun, and closes the archive."""
        self._searching.shutdown(cancel_futures=True)
        self._writing.shutdown()
        self._reading.shutdown()
        if self.pairs is not None:
            self.pairs.close()
        self.engine.close()
