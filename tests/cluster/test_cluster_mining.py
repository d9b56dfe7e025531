"""All likely duplicates of a cluster are those of one machine."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from clusters import LosingShards, searching

from askagain import Question
from askagain.cluster import mining
from askagain.cluster.building import create_cluster
from askagain.cluster.gateway import ShardedEngine
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import numbered
from askagain.cluster.merging import merged
from askagain.cluster.mining import parts_of, records_of
from askagain.cluster.shard import Answer, Call
from askagain.mining.pairs import FLOOR

Pairs = dict[tuple[str, str], float]


@pytest.fixture
def forum_cluster(part_of_the_forum: Path, tmp_path: Path) -> ClusterFolder:
    return create_cluster(tmp_path / "forum.cluster", part_of_the_forum, 3, system="best")


@pytest.fixture
def engine(forum_cluster: ClusterFolder, tmp_path: Path) -> Iterator[ShardedEngine]:
    with searching(forum_cluster, tmp_path / "copies") as engine:
        yield engine


def mined(engine: ShardedEngine, folder: Path) -> Pairs:
    files = []
    for part in parts_of(engine):
        files.append(folder / part.name)
        files[-1].write_bytes(b"".join(map(mining.line_of, records_of(engine, part))))
    return {(each["first"], each["second"]): each["probability"] for each in merged(files, FLOOR)}


def test_pairs_and_probabilities_are_those_of_one_machine(
    engine: ShardedEngine, pairs_alone: Pairs, tmp_path: Path
) -> None:
    assert mined(engine, tmp_path) == pytest.approx(pairs_alone, abs=1e-6)
    assert len(pairs_alone) > 100


def test_all_questions_are_in_one_part_each(engine: ShardedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "_QUESTIONS_IN_A_PART", 7)

    parts = parts_of(engine)

    assert sum(part.questions for part in parts) == 120
    assert max(part.questions for part in parts) == 7
    assert len({part.name for part in parts}) == len(parts)


class SharedShards(LosingShards):
    """Replicas that several gateways ask, each in its own thread."""

    def __init__(self, cluster: ClusterFolder, copies: Path) -> None:
        super().__init__(cluster, copies)
        self._lock = threading.Lock()

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        with self._lock:
            return super().ask(position, calls)


def test_others_may_write_meanwhile(forum_cluster: ClusterFolder, pairs_alone: Pairs, tmp_path: Path) -> None:
    """Writes about things that nobody else asks about move the shards on in the middle of searches."""
    done, written = threading.Event(), 0
    shared = SharedShards(forum_cluster, tmp_path / "copies")
    other = ShardedEngine(forum_cluster, forum_cluster.current, shared)

    def write() -> None:
        nonlocal written
        while not done.wait(0.05):
            other.shards.write(partial(numbered, [Question(id=f"x{written}", title=f"zzx{written}")]))
            other.get_ready()
            written += 1

    writer = threading.Thread(target=write)
    with ShardedEngine(forum_cluster, forum_cluster.current, shared) as engine:
        writer.start()
        try:
            found = mined(engine, tmp_path)
        finally:
            done.set()
            writer.join()

    assert written
    assert pairs_alone.keys() <= found.keys()


def test_a_shard_that_comes_back_is_waited_for(
    forum_cluster: ClusterFolder, pairs_alone: Pairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = LosingShards(forum_cluster, tmp_path / "copies")

    def comes_back(_: float) -> None:
        shards.away.clear()

    with ShardedEngine(forum_cluster, forum_cluster.current, shards) as engine:
        parts = parts_of(engine)
        shards.away = {1}
        monkeypatch.setattr(mining.time, "sleep", comes_back)
        found = [record for part in parts for record in records_of(engine, part)]

    assert {(record["first"], record["second"]) for record in found} == pairs_alone.keys()
