"""All likely duplicates, found by the workers of a real Ray: a node dies, and the work is taken up again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from clusters import DyingNode

from askagain.cluster import mining
from askagain.cluster.building import create_cluster
from askagain.cluster.gateway import ShardedEngine
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.merging import merged
from askagain.cluster.settings import ClusterSettings
from askagain.mining.pairs import FLOOR

SECONDS = 30.0  # machines are shared

Pairs = dict[tuple[str, str], float]


class Mining(NamedTuple):
    """A cluster whose shards have started, and the file parts of what is mined."""

    cluster: ClusterFolder
    engine: ShardedEngine
    application: str
    parts: Path

    def mine(self, progress: Any) -> list[Path]:
        """On all workers."""
        return mining.mine(self.cluster, self.engine, self.application, self.parts, SECONDS, progress)


@pytest.fixture(scope="module")
def mining_on_ray(
    ray_cluster: Any, part_of_the_forum: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mining]:
    """The shards are on the node that lives on."""
    from askagain.cluster import far

    folder = tmp_path_factory.mktemp("mining")
    cluster = create_cluster(folder / "forum.cluster", part_of_the_forum, 2, system="best")
    settings = ClusterSettings(copies=str(folder / "copies"), shard_seconds=SECONDS)
    with far.searching(cluster, settings, "a test") as (engine, application):
        yield Mining(cluster, engine, application, folder / "parts")
    far.serve.shutdown()


def pairs_of(files: list[Path]) -> Pairs:
    return {(each["first"], each["second"]): each["probability"] for each in merged(files, FLOOR)}


def test_a_node_that_dies_costs_no_pair_and_what_is_done_is_not_done_again(
    ray_cluster: Any, mining_on_ray: Mining, pairs_alone: Pairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mining, "_QUESTIONS_IN_A_PART", 10)
    node = DyingNode(ray_cluster)

    files = mining_on_ray.mine(node.at_first_progress)

    assert node.died
    assert pairs_of(files) == pytest.approx(pairs_alone, abs=1e-6)

    lost, *kept = files
    lost.unlink()
    for file in kept:
        file.write_bytes(b"")
    again: list[int] = []
    mining_on_ray.mine(lambda done, total: again.append(done))

    assert len(again) == 1
    assert lost.read_bytes()
    assert not any(file.read_bytes() for file in kept)
