"""Shards on a real Ray: replicas that die are replaced, and searches go on."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clusters import FORUM, anything, found, make_archive, told

from askagain import Engine, Question
from askagain.cluster import serving
from askagain.cluster.building import create_cluster, next_generation, take_snapshot
from askagain.cluster.desk import Desk
from askagain.cluster.gateway import Asked, ShardedEngine
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Entry, Put
from askagain.cluster.placing import shard_of
from askagain.cluster.settings import ClusterSettings
from askagain.cluster.shard import Call
from askagain.errors import ClusterError, UnreachableError

SECONDS = 30.0  # machines are shared
IMPATIENT_SECONDS = 2.0
SHORTER_THAN_A_START = 0.5  # of a replica, on whatever machine
TITLES = ["How do I boot a phone?", "wipe the second disk", "error 3", "teapot"]


@pytest.fixture(scope="module")
def far(ray_cluster: Any) -> Any:
    """The module: whoever imports it imports Ray, which must find its settings before."""
    from askagain.cluster import far

    return far


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("far")


@pytest.fixture(scope="module")
def settings(folder: Path) -> ClusterSettings:
    return ClusterSettings(copies=str(folder / "copies"))


@pytest.fixture(scope="module")
def deployed(far: Any, folder: Path, settings: ClusterSettings) -> Iterator[ClusterFolder]:
    """30 questions in two shards with one replica each."""
    cluster = create_cluster(folder / "cluster", make_archive(folder / "forum.db"), 2, system="bm25")
    far.deploy(cluster, cluster.current, settings)
    yield cluster
    far.serve.shutdown()


@pytest.fixture
def engine(far: Any, deployed: ClusterFolder) -> Iterator[ShardedEngine]:
    generation = deployed.current
    with ShardedEngine(deployed, generation, far.reached(deployed, generation, SECONDS)) as engine:
        engine.get_ready()
        yield engine


@pytest.fixture
def desk(far: Any, deployed: ClusterFolder) -> Iterator[Desk]:
    with Desk(deployed, deployed.current, far.reached(deployed, deployed.current, SECONDS)) as desk:
        yield desk


@pytest.fixture
def alone(folder: Path) -> Iterator[Engine]:
    """One machine with the same questions, to which a test writes what it writes to the cluster."""
    with Engine.open(folder / "forum.db", "bm25") as engine:
        yield engine


def process_of(far: Any, cluster: ClusterFolder, shard: int) -> int:
    """Of the only replica of a shard."""
    name = far.application(cluster, cluster.current)
    handle = far.serve.get_deployment_handle(f"shard-{shard:04}", name)
    return int(handle.process.remote().result(timeout_s=30))


def within(seconds: float, happened: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if happened():
            return True
        time.sleep(0.1)
    return False


def check_equal(engine: ShardedEngine, alone: Engine) -> None:
    for title in TITLES:
        assert found(engine, title, 50) == told(alone.search(Question(title=title), 50, explain="none"))


def test_searches_find_what_one_machine_finds(engine: ShardedEngine, alone: Engine) -> None:
    check_equal(engine, alone)


def test_each_shard_has_a_process_of_its_own(far: Any, deployed: ClusterFolder) -> None:
    assert len({process_of(far, deployed, 0), process_of(far, deployed, 1), os.getpid()}) == 3


def test_writes_are_found_by_the_next_search(engine: ShardedEngine, desk: Desk, alone: Engine) -> None:
    edited = Question(id=FORUM[3].id, title="An edited teapot", body="\0\ud800\u200b")
    for write in (Question(id="a/b", title="How do I boot a teapot?"), edited):
        assert desk.put(write, anything).changed
        alone.archive.put(write)
    desk.delete(FORUM[4].id, anything)
    alone.archive.delete(FORUM[4].id)

    check_equal(engine, alone)
    assert desk.count() == len(alone.archive)


def test_an_error_of_a_shard_is_told_in_a_line(far: Any, deployed: ClusterFolder) -> None:
    shards = far.reached(deployed, deployed.current, IMPATIENT_SECONDS)

    with pytest.raises(ClusterError, match="of the log cannot be read"):
        shards.ask(1_000_000_000, {0: [Call("count")]})


def test_a_generation_that_is_not_deployed_cannot_be_reached(far: Any, deployed: ClusterFolder) -> None:
    made = next_generation(deployed, shards=3)

    with pytest.raises(UnreachableError, match="the shards of generation 2 are not there yet"):
        far.reached(deployed, made, SECONDS)


def test_a_killed_replica_is_missing_and_then_replaced(
    far: Any, deployed: ClusterFolder, engine: ShardedEngine, desk: Desk, alone: Engine
) -> None:
    asked, answers, killed = Asked(Question(title=TITLES[0]), 50), [], set()

    def kill_until_missed() -> bool:
        """Another replica may be there before the next search has lost its patience."""
        process = process_of(far, deployed, 1)
        killed.add(process)
        os.kill(process, signal.SIGKILL)
        answers.append(impatient.search(asked))
        return 1 in answers[-1].missing

    def whole_again() -> bool:
        answers.append(impatient.search(asked))
        return answers[-1].missing == ()

    shards = far.reached(deployed, deployed.current, SHORTER_THAN_A_START)
    with ShardedEngine(deployed, deployed.current, shards) as impatient:
        assert within(60, lambda: impatient.search(asked).missing == ())
        assert within(60, kill_until_missed)
        assert within(60, whole_again)
    expected = told(alone.search(Question(title=TITLES[0]), 50, explain="none"))
    for answer in answers:
        there = [each for each in expected if shard_of(each[0], 2) not in answer.missing]
        assert told(answer.matches) == there
    assert process_of(far, deployed, 1) not in killed
    new = Question(id="after", title="Written after a teapot was killed")
    desk.put(new, anything)
    alone.archive.put(new)
    check_equal(engine, alone)


def test_a_replica_that_nobody_asks_follows_the_log(far: Any, deployed: ClusterFolder) -> None:
    """Else it would lack what the log forgets."""
    shards = far.reached(deployed, deployed.current, SECONDS)
    end = deployed.log.end(0)
    for _ in range(3):
        end += 1
        number = 1000 + end
        deployed.log.append(Entry(end, number + 1, (Put(number, Question(id=f"n{number}", title="New")),)))
    assert within(20, lambda: all(each.position == end for each in shards.ask(0, {0: [], 1: []}).values()))
    take_snapshot(deployed)
    assert shards.ask(end, {0: [Call("count")]})[0].position == end


def test_shards_that_a_service_has_started_are_used_and_left(
    far: Any, deployed: ClusterFolder, settings: ClusterSettings
) -> None:
    running = process_of(far, deployed, 0)

    with far.searching(deployed, settings, "a file") as (engine, name):
        assert name == far.application(deployed, deployed.current)
        assert engine.search(Asked(Question(title=TITLES[0]))).missing == ()

    assert process_of(far, deployed, 0) == running


def test_with_another_replica_nobody_notices_that_one_is_killed(
    far: Any, deployed: ClusterFolder, settings: ClusterSettings
) -> None:
    generation, name = deployed.current, f"{far.application(deployed, deployed.current)}-twice"
    far.deploy(deployed, generation, replace(settings, replicas=2), name)
    handle = far.serve.get_deployment_handle("shard-0000", name)
    processes: set[int] = set()

    def both_answer() -> bool:
        processes.add(int(handle.process.remote().result(timeout_s=30)))
        return len(processes) == 2

    assert within(30, both_answer)
    shards = far.reached(deployed, generation, SECONDS, name)
    with ShardedEngine(deployed, generation, shards) as engine:
        whole = engine.search(Asked(Question(title=TITLES[0]), 50))
        os.kill(processes.pop(), signal.SIGKILL)
        until = time.monotonic() + 4
        while time.monotonic() < until:
            assert engine.search(Asked(Question(title=TITLES[0]), 50)) == whole
    assert whole.missing == ()


def test_under_load_there_are_more_replicas(
    far: Any, deployed: ClusterFolder, settings: ClusterSettings
) -> None:
    generation, name = deployed.current, f"{far.application(deployed, deployed.current)}-growing"
    far.deploy(deployed, generation, replace(settings, most_replicas=2), name)
    handle = far.serve.get_deployment_handle("shard-0000", name)
    done = threading.Event()

    def ask_again_and_again() -> None:
        while not done.is_set():
            handle.answer.remote(0, ()).result(timeout_s=30)

    def processes() -> set[int]:
        return {int(handle.process.remote().result(timeout_s=30)) for _ in range(10)}

    askers = [threading.Thread(target=ask_again_and_again) for _ in range(20)]
    try:
        assert len(processes()) == 1
        for asker in askers:
            asker.start()
        assert within(60, lambda: len(processes()) == 2)
    finally:
        done.set()
        for asker in askers:
            asker.join()
        far.serve.delete(name)


def test_a_service_ends_the_shards_of_generations_before(
    far: Any, deployed: ClusterFolder, settings: ClusterSettings
) -> None:
    """Also of those that were replaced while no service ran."""
    first, ended = deployed.current, threading.Event()
    watched = replace(settings, grace_seconds=1.0)
    deployed.choose(next_generation(deployed, shards=1))
    watching = threading.Thread(target=serving._watch, args=(deployed, watched, first, ended))
    watching.start()
    try:
        assert within(60, lambda: far.is_there(deployed, deployed.current))
        assert within(60, lambda: not far.is_there(deployed, first))
    finally:
        ended.set()
        watching.join()

    assert far.reached(deployed, deployed.current, SECONDS).shards == 1


def test_all_shards_of_a_cluster_can_be_ended(far: Any, deployed: ClusterFolder) -> None:
    """Nothing is served any more, also in the tests after this."""
    assert far.stop(deployed) == 2

    with pytest.raises(UnreachableError):
        far.reached(deployed, deployed.current, SECONDS)


def test_shards_that_a_killed_command_has_left_are_used_by_the_next_and_end_with_it(
    far: Any, deployed: ClusterFolder, settings: ClusterSettings
) -> None:
    with far.searching(deployed, settings, "pairs.jsonl") as (_, left):
        with far.searching(deployed, settings, "pairs.jsonl") as (engine, name):
            assert name == left
            assert engine.search(Asked(Question(title=TITLES[0]))).missing == ()
        assert name not in far.serve.status().applications
