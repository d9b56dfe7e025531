"""One process of the service: it answers while generations change under it."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from clusters import FORUM, LosingShards, anything, make_archive, told
from starlette.exceptions import HTTPException

from askagain import Engine, Question
from askagain.cluster.building import next_generation
from askagain.cluster.gateway import Asked
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.near import NearShards
from askagain.cluster.service import ClusterService
from askagain.cluster.shards import Transport
from askagain.errors import UnreachableError
from askagain.service.settings import ServiceSettings

ASKED = Asked(Question(title="How do I boot a phone?"), 5)


@asynccontextmanager
async def running(
    cluster: ClusterFolder, reach: Callable[[Generation], Transport], **settings: Any
) -> AsyncIterator[ClusterService]:
    given = ServiceSettings(archive=str(cluster.keys), **settings)
    loop = asyncio.get_running_loop()
    service = await loop.run_in_executor(None, ClusterService, given, cluster, reach)
    try:
        yield service
    finally:
        await loop.run_in_executor(None, service.close)


@pytest.fixture
def near(cluster: ClusterFolder, copies: Path) -> Callable[[Generation], Transport]:
    return lambda generation: NearShards(cluster, generation, copies)


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.02)


def test_searches_that_come_in_at_once_are_all_answered(
    cluster: ClusterFolder, near: Callable[[Generation], Transport], tmp_path: Path
) -> None:
    with Engine.open(make_archive(tmp_path / "alone.db"), "bm25") as alone:
        questions = [Question(title=each.title) for each in FORUM]
        expected = [told(alone.search(question, 5, explain="none")) for question in questions]

    async def test() -> None:
        async with running(cluster, near) as service:
            answers = await asyncio.gather(*(service.search(Asked(each, 5)) for each in questions))
            assert [told(answer.found.matches) for answer in answers] == expected

    run(test)


def test_what_was_written_is_found_by_the_next_search(
    cluster: ClusterFolder, near: Callable[[Generation], Transport]
) -> None:
    async def test() -> None:
        async with running(cluster, near) as service:
            new = Question(id="new", title="A zirconium teapot")
            outcome = await service.at_desk(lambda desk: desk.put(new, anything))
            answer = await service.search(Asked(Question(title="zirconium")))
            assert [match.id for match in answer.found.matches] == ["new"]
            assert answer.found.position == outcome.position

    run(test)


def test_many_searches_are_answered_while_others_wait_for_their_shards(
    cluster: ClusterFolder, copies: Path
) -> None:
    hold, held, let_go = threading.Event(), threading.Event(), threading.Event()

    class HoldingOne(NearShards):
        def ask(self, *asked: Any) -> Any:
            if hold.is_set() and not held.is_set():
                held.set()
                let_go.wait()
            return super().ask(*asked)

    async def test() -> None:
        async with running(cluster, lambda each: HoldingOne(cluster, each, copies)) as service:
            hold.set()
            waiting = asyncio.create_task(service.search(ASKED))
            await until(held.is_set)
            answers = await asyncio.gather(*(service.search(ASKED) for _ in range(50)))
            assert not waiting.done()
            let_go.set()
            expected = told((await waiting).found.matches)
            assert all(told(answer.found.matches) == expected for answer in answers)

    run(test)


def test_too_many_searches_are_refused(cluster: ClusterFolder, copies: Path) -> None:
    let_through = threading.Event()
    let_through.set()

    class Slow(NearShards):
        def ask(self, *asked: Any) -> Any:
            let_through.wait()
            return super().ask(*asked)

    async def test() -> None:
        async with running(cluster, lambda each: Slow(cluster, each, copies), waiting=3) as service:
            let_through.clear()
            first = asyncio.create_task(service.search(ASKED))
            await asyncio.sleep(0.1)
            others = [asyncio.create_task(service.search(ASKED)) for _ in range(5)]
            await asyncio.sleep(0.1)
            let_through.set()
            answers = await asyncio.gather(first, *others, return_exceptions=True)
            refused = [each for each in answers if isinstance(each, HTTPException)]
            assert [each.status_code for each in refused] == [503, 503]
            assert len(answers) - len(refused) == 4

    run(test)


def test_a_search_that_takes_too_long_is_given_up(cluster: ClusterFolder, copies: Path) -> None:
    let_through = threading.Event()
    let_through.set()

    class Slow(NearShards):
        def ask(self, *asked: Any) -> Any:
            let_through.wait()
            return super().ask(*asked)

    async def test() -> None:
        async with running(cluster, lambda each: Slow(cluster, each, copies), request_seconds=1.0) as service:
            let_through.clear()
            started = time.monotonic()
            with pytest.raises(HTTPException, match="this takes too long"):
                await service.search(ASKED)
            assert time.monotonic() - started < 10
            let_through.set()
            assert len((await service.search(ASKED)).found.matches) == 5

    run(test)


def test_an_error_reaches_whoever_has_asked_and_the_next_search_is_answered(
    cluster: ClusterFolder, copies: Path
) -> None:
    broken = threading.Event()

    class Breaking(NearShards):
        def ask(self, *asked: Any) -> Any:
            if broken.is_set():
                raise UnreachableError("nobody answers")
            return super().ask(*asked)

    async def test() -> None:
        async with running(cluster, lambda each: Breaking(cluster, each, copies)) as service:
            broken.set()
            with pytest.raises(UnreachableError, match="nobody answers"):
                await service.search(ASKED)
            broken.clear()
            assert len((await service.search(ASKED)).found.matches) == 5

    run(test)


# Generations


def test_another_generation_takes_over_without_a_failed_search(
    cluster: ClusterFolder, near: Callable[[Generation], Transport]
) -> None:
    async def test() -> None:
        loop = asyncio.get_running_loop()
        async with running(cluster, near) as service:
            before = told((await service.search(ASKED)).found.matches)
            made = await loop.run_in_executor(None, partial(next_generation, cluster, shards=2))
            cluster.choose(made)
            generations: list[int] = []
            while len(generations) < 20 or generations[-10] != 2:
                answer, question = await asyncio.gather(
                    service.search(ASKED), service.at_desk(lambda desk: desk.get(FORUM[0].id))
                )
                assert told(answer.found.matches) == before
                assert question == FORUM[0]
                generations.append(answer.found.generation)
            assert generations == sorted(generations)
            assert service.generation.number == 2

    run(test)


def test_a_generation_with_another_system_is_served_or_the_one_before(
    cluster: ClusterFolder, near: Callable[[Generation], Transport], tmp_path: Path
) -> None:
    with Engine.open(make_archive(tmp_path / "alone.db"), "bm25") as alone:
        expected = {
            number: (system, told(alone.with_system(system).search(ASKED.question, 5, explain="none")))
            for number, system in ((1, "bm25"), (2, "lmj"))
        }
    made = next_generation(cluster, system="lmj")

    async def test() -> None:
        async with running(cluster, near) as service:
            cluster.choose(made)
            seen: set[int] = set()
            while seen != {1, 2}:
                answer = await service.search(ASKED)
                found = answer.found
                assert (answer.manner.system, told(found.matches)) == expected[found.generation]
                seen.add(found.generation)

    run(test)


def test_the_old_generation_goes_on_until_the_new_one_can_be_reached(
    cluster: ClusterFolder, copies: Path
) -> None:
    started = threading.Event()

    def reach(generation: Generation) -> Transport:
        if generation.number == 2 and not started.is_set():
            raise UnreachableError("wait")
        return NearShards(cluster, generation, copies)

    async def test() -> None:
        async with running(cluster, reach) as service:
            cluster.choose(next_generation(cluster, shards=2))
            await asyncio.sleep(1.2)
            assert (await service.search(ASKED)).found.generation == 1
            started.set()
            await until(lambda: service.generation.number == 2)
            assert (await service.search(ASKED)).found.generation == 2

    run(test)


def test_a_write_during_the_change_is_in_both(
    cluster: ClusterFolder, near: Callable[[Generation], Transport]
) -> None:
    made = next_generation(cluster, shards=5)

    async def test() -> None:
        async with running(cluster, near) as service:
            cluster.choose(made)
            written = 0
            while service.generation.number == 1 or written < 10:
                new = Question(id=f"teapot-{written}", title=f"Teapot {written}")
                await service.at_desk(lambda desk, new=new: desk.put(new, anything))  # type: ignore[misc]
                written += 1
                answer = await service.search(Asked(Question(title="teapot"), 100))
                assert len(answer.found.matches) == min(written, 100)
            assert await service.at_desk(lambda desk: desk.count()) == 30 + written

    run(test)


def test_a_missing_shard_is_named(cluster: ClusterFolder, copies: Path) -> None:
    reached: list[LosingShards] = []

    def reach(generation: Generation) -> Transport:
        reached.append(LosingShards(cluster, copies))
        return reached[-1]

    async def test() -> None:
        async with running(cluster, reach) as service:
            for each in reached:
                each.away = {2}
            assert (await service.search(ASKED)).found.missing == (2,)
            for each in reached:
                each.away = set()
            assert (await service.search(ASKED)).found.missing == ()

    run(test)


def test_a_process_that_starts_during_a_change_serves_the_generation_before(
    cluster: ClusterFolder, copies: Path
) -> None:
    cluster.choose(next_generation(cluster, shards=2))
    started = threading.Event()

    def reach(generation: Generation) -> Transport:
        if generation.number == 2 and not started.is_set():
            raise UnreachableError("the shards of generation 2 are not there yet: wait")
        return NearShards(cluster, generation, copies)

    async def test() -> None:
        async with running(cluster, reach) as service:
            assert (await service.search(ASKED)).found.generation == 1
            started.set()
            await until(lambda: service.generation.number == 2)

    run(test)


def test_a_write_that_waited_too_long_does_not_happen_later(
    cluster: ClusterFolder, near: Callable[[Generation], Transport]
) -> None:
    async def test() -> None:
        async with running(cluster, near, request_seconds=1.0) as service:
            waiting = threading.Event()
            first = asyncio.create_task(service.at_desk(lambda desk: waiting.wait()))
            write = service.at_desk(lambda desk: desk.put(Question(id="late", title="Late"), anything))
            answers = await asyncio.gather(first, write, return_exceptions=True)
            assert [isinstance(each, HTTPException) for each in answers] == [True, True]
            waiting.set()
            assert await service.at_desk(lambda desk: desk.get("late")) is None

    run(test)
