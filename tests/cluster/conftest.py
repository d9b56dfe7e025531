"""A real Ray on loopback (a head without cores, and a node with two), archives, and folders of clusters."""

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from clusters import MEGABYTES, make_archive

from askagain import Archive, Engine
from askagain.cluster.building import create_cluster
from askagain.cluster.layout import ClusterFolder
from askagain.mining.following import follow
from askagain.mining.pairs import FLOOR, LikelyPairs
from askagain.sample import forum
from support import require


@pytest.fixture(scope="module")
def ray_cluster() -> Iterator[Any]:
    """Tests of a file share it, and are connected with it; afterwards it takes no time from others."""
    require(find_spec("ray") is not None, "no Ray; pip install 'askagain[cluster]'")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # read by Ray's import: everything on loopback
    import ray
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "object_store_memory": 100 * MEGABYTES, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        cluster.add_node(num_cpus=2, object_store_memory=100 * MEGABYTES)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.fixture
def archive(tmp_path: Any) -> Iterator[Archive]:
    """The sample forum: 357 questions, 270 marks."""
    with Archive.open(tmp_path / "forum.db") as archive:
        forum.load_into(archive)
        yield archive


@pytest.fixture(scope="session")
def made_cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """30 questions in three shards, searched by bm25; to be copied."""
    folder = tmp_path_factory.mktemp("made")
    return create_cluster(folder / "cluster", make_archive(folder / "forum.db"), 3, system="bm25").path


@pytest.fixture
def cluster(made_cluster: Path, tmp_path: Path) -> ClusterFolder:
    """One that a test may change."""
    return ClusterFolder.open(Path(shutil.copytree(made_cluster, tmp_path / "cluster")))


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """Where a node keeps its copies of shards."""
    return tmp_path / "copies"


@pytest.fixture(scope="session")
def part_of_the_forum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of 120 questions, whose duplicates are to be found."""
    path = tmp_path_factory.mktemp("forum") / "forum.db"
    with Archive.open(path) as archive:
        archive.put_many(forum.questions()[:120])
    return path


@pytest.fixture(scope="session")
def pairs_alone(part_of_the_forum: Path) -> dict[tuple[str, str], float]:
    """The likely duplicates that one machine finds there, with their probabilities."""
    with Engine.open(part_of_the_forum, "best") as engine, LikelyPairs.open(engine) as pairs:
        follow(pairs)
        return {(pair.first, pair.second): pair.probability for pair in pairs.all_pairs(FLOOR)}
