"""The folder of a cluster: what is there is complete."""

import json
from pathlib import Path

import pytest
from clusters import RECIPE, make_archive

from askagain.cluster.building import create_cluster
from askagain.cluster.layout import ClusterFolder, new_snapshot
from askagain.errors import AskagainError, ClusterError, OutputError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_that_is_no_cluster_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="is not a cluster: make one with askagain cluster create"):
        ClusterFolder.open(tmp_path)


def test_a_cluster_of_a_later_version_is_refused(cluster: ClusterFolder) -> None:
    (cluster.path / "cluster.json").write_text('{"format": 2, "id": "x"}')

    with pytest.raises(ClusterError, match="has the format 2: this version of askagain reads 1"):
        ClusterFolder.open(cluster.path)


@pytest.mark.parametrize("text", ["", "[]", "{", "\0"])
def test_a_damaged_description_is_an_error_in_a_line(cluster: ClusterFolder, text: str) -> None:
    (cluster.path / "cluster.json").write_text(text)

    with pytest.raises(ClusterError, match=r"cluster\.json (cannot be read|is damaged)"):
        ClusterFolder.open(cluster.path)


def test_nothing_is_made_where_something_is(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")

    with pytest.raises(ClusterError, match="exists already and is not empty"):
        ClusterFolder.create(tmp_path)
    with pytest.raises(ClusterError, match="exists already and is not empty"):
        ClusterFolder.create(tmp_path / "precious")
    assert names(tmp_path) == ["precious"]


def test_a_folder_that_cannot_be_made_is_an_error_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(OutputError, match="cannot make"):
        ClusterFolder.create(tmp_path / "file" / "cluster")


def test_two_clusters_have_different_ids(tmp_path: Path) -> None:
    assert ClusterFolder.create(tmp_path / "a").id != ClusterFolder.create(tmp_path / "b").id


def test_a_cluster_without_a_generation_says_so(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="has no generation yet"):
        ClusterFolder.create(tmp_path / "new").current  # noqa: B018


# Generations


def test_what_is_there_can_be_told(cluster: ClusterFolder) -> None:
    made = cluster.current
    assert (made.number, made.shards, made.system) == (1, 3, "bm25")
    assert cluster.current.snapshot.questions == 30
    assert cluster.current.snapshot.position == 0


def test_nothing_is_left_of_a_generation_that_fails(cluster: ClusterFolder, tmp_path: Path) -> None:
    with pytest.raises(OutputError), cluster.new_generation(5, "bm25", tmp_path / "no model"):
        pass

    assert names(cluster.path / "generations") == ["0001"]


def test_a_generation_in_the_making_is_not_seen(cluster: ClusterFolder) -> None:
    with cluster.new_generation(5, "bm25", None):
        assert [each.number for each in cluster.generations()] == [1]

    assert [each.number for each in cluster.generations()] == [1, 2]
    assert cluster.current.number == 1


def test_of_two_that_make_the_same_generation_one_is_refused(cluster: ClusterFolder) -> None:
    slower, faster = (cluster.new_generation(shards, "bm25", None) for shards in (5, 6))

    with pytest.raises(OutputError, match="cannot make"), slower, faster:
        pass

    assert cluster.generation(2).shards == 6
    assert names(cluster.path / "generations") == ["0001", "0002"]


def test_a_generation_keeps_its_model_and_its_recipe(cluster: ClusterFolder, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "weights").write_text("w")
    (tmp_path / "mine.toml").write_text(RECIPE)

    with cluster.new_generation(3, str(tmp_path / "mine.toml"), tmp_path / "model"):
        pass

    made = cluster.generation(2)
    assert made.model is not None
    assert (made.model / "weights").read_text() == "w"
    assert made.system == "mine"
    assert Path(made.recipe).read_text() == RECIPE
    assert cluster.generation(1).model is None
    assert cluster.generation(1).recipe == "bm25"


def test_the_chosen_generation_is_served(cluster: ClusterFolder) -> None:
    with cluster.new_generation(5, "bm25", None):
        pass
    cluster.choose(cluster.generation(2))

    assert cluster.current.number == 2
    assert ClusterFolder.open(cluster.path).current.number == 2


def test_a_generation_that_is_not_there_is_an_error_in_a_line(cluster: ClusterFolder) -> None:
    with pytest.raises(ClusterError, match="has no generation 7"):
        cluster.generation(7)


# Snapshots


def test_a_generation_without_a_snapshot_says_so(cluster: ClusterFolder) -> None:
    with cluster.new_generation(5, "bm25", None):
        pass

    with pytest.raises(ClusterError, match="has no snapshot"):
        cluster.generation(2).snapshot  # noqa: B018


def test_nothing_is_left_of_a_snapshot_that_fails(cluster: ClusterFolder) -> None:
    with pytest.raises(AskagainError), new_snapshot(cluster.current, 9, 40):
        pass  # without any shard

    assert names(cluster.current.folder / "snapshots") == ["000000000000"]


def test_snapshots_come_from_the_oldest_to_the_newest(cluster: ClusterFolder) -> None:
    folder = cluster.current.folder / "snapshots"
    for position in (12, 3):
        (folder / f"{position:012}").mkdir()
        told = {"position": position, "next_number": 31, "questions": 30}
        (folder / f"{position:012}" / "snapshot.json").write_text(json.dumps(told))
    (folder / ".000000000099.half").mkdir()

    assert [each.position for each in cluster.current.snapshots()] == [0, 3, 12]
    assert cluster.current.snapshot.position == 12


def test_every_shard_has_a_folder_with_its_archive_and_indexes(tmp_path: Path) -> None:
    made = create_cluster(tmp_path / "cluster", make_archive(tmp_path / "forum.db"), 2, system="bm25")
    snapshot = made.current.snapshot

    for shard in range(2):
        [archive, index] = names(snapshot.shard(shard))
        assert archive == "archive.db"
        assert index.endswith(".lexical")
