"""Generations are made from an archive or from the one before, and snapshots from the log."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import FORUM, RECIPE, anything, found, make_archive, searching, told, writing

from askagain import Archive, Engine, Question
from askagain.cluster.building import create_cluster, next_generation, take_snapshot
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Delete
from askagain.errors import AskagainError, ClusterError, SettingsError

TITLES = ["How do I boot a phone?", "wipe the second disk", "error 3", "teapot"]


def all_found(cluster: ClusterFolder, copies: Path) -> list[list[tuple[str, float, float | None]]]:
    with searching(cluster, copies) as engine:
        return [found(engine, title, 50) for title in TITLES]


def on_one_machine(
    path: Path, questions: Sequence[Question], system: str = "bm25"
) -> list[list[tuple[str, float, float | None]]]:
    with Engine.open(make_archive(path, questions), system) as engine:
        return [told(engine.search(Question(title=title), 50)) for title in TITLES]


def put(cluster: ClusterFolder, copies: Path, *questions: Question) -> None:
    with writing(cluster, copies) as desk:
        for question in questions:
            desk.put(question, anything)


def teapot(number: int) -> Question:
    return Question(id=f"teapot-{number}", title=f"How do I boot teapot {number}?")


# From an archive


def test_every_question_of_an_archive_is_in_one_shard(cluster: ClusterFolder, copies: Path) -> None:
    with writing(cluster, copies) as desk:
        assert desk.count() == 30
        assert [desk.get(question.id) for question in FORUM] == FORUM


def test_the_archive_stays_as_it_is(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "forum.db")
    before = path.read_bytes()

    create_cluster(tmp_path / "cluster", path, 2, system="bm25")

    assert path.read_bytes() == before


def test_deleted_questions_keep_their_numbers(tmp_path: Path, copies: Path) -> None:
    """Whoever comes back stands, among equal scores, where it stood before."""
    path = make_archive(tmp_path / "forum.db")
    with Archive.open(path) as archive:
        archive.delete(FORUM[0].id)
        archive.delete(FORUM[29].id)
    made = create_cluster(tmp_path / "cluster", path, 3, system="bm25")
    put(made, copies, FORUM[29], teapot(1), FORUM[0])
    with Archive.open(path) as archive:
        archive.put_many([FORUM[29], teapot(1), FORUM[0]])

    with Engine.open(path, "bm25") as alone:
        expected = [told(alone.search(Question(title=title), 50)) for title in TITLES]
    assert all_found(made, copies) == expected


@pytest.mark.parametrize("questions", [[], FORUM[:1]])
def test_an_archive_may_have_fewer_questions_than_there_are_shards(
    tmp_path: Path, copies: Path, questions: list[Question]
) -> None:
    made = create_cluster(tmp_path / "cluster", make_archive(tmp_path / "a.db", questions), 4, system="bm25")
    put(made, copies, teapot(1))

    assert all_found(made, copies) == on_one_machine(tmp_path / "b.db", [*questions, teapot(1)])


def test_progress_is_told(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []

    create_cluster(
        tmp_path / "c",
        make_archive(tmp_path / "a.db"),
        2,
        system="bm25",
        progress=lambda *step: steps.append(step),
    )

    assert steps == [(30, 30)]


@pytest.mark.parametrize("shards", [0, -1, 1025])
def test_a_senseless_number_of_shards_is_refused(tmp_path: Path, shards: int) -> None:
    with pytest.raises(SettingsError, match="shards"):
        create_cluster(tmp_path / "c", make_archive(tmp_path / "a.db"), shards)

    assert not (tmp_path / "c").exists()


def test_nothing_is_left_of_a_cluster_that_cannot_be_made(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.db")
    (tmp_path / "model").mkdir()

    with pytest.raises(AskagainError):
        create_cluster(tmp_path / "c", tmp_path / "missing.db", 2)
    with pytest.raises(SettingsError, match="no system is named"):
        create_cluster(tmp_path / "c", path, 2, system="unheard-of")
    with pytest.raises(SettingsError, match="bm25 has nothing to learn"):
        create_cluster(tmp_path / "c", path, 2, system="bm25", model=tmp_path / "model")
    assert not (tmp_path / "c").exists()


# Snapshots


def test_a_snapshot_has_all_that_was_written(cluster: ClusterFolder, copies: Path, tmp_path: Path) -> None:
    put(cluster, copies, *map(teapot, range(5)))

    taken = take_snapshot(cluster)

    assert (taken.position, taken.questions, taken.next_number) == (5, 35, 36)
    assert all_found(cluster, tmp_path / "new node") == on_one_machine(
        tmp_path / "b.db", [*FORUM, *map(teapot, range(5))]
    )


def test_without_writes_there_is_nothing_to_take(cluster: ClusterFolder) -> None:
    assert take_snapshot(cluster) == cluster.current.snapshots()[0]
    assert len(cluster.current.snapshots()) == 1


def test_two_snapshots_are_kept_and_the_log_since_the_older_one(cluster: ClusterFolder, copies: Path) -> None:
    for number in range(4):
        put(cluster, copies, teapot(number))
        take_snapshot(cluster)

    assert [each.position for each in cluster.current.snapshots()] == [3, 4]
    assert [cluster.log.has(position) for position in (1, 2, 3, 4)] == [False, False, False, True]


def test_a_new_replica_begins_with_the_newest_snapshot(
    cluster: ClusterFolder, copies: Path, tmp_path: Path
) -> None:
    for number in range(4):
        put(cluster, copies, teapot(number))
        take_snapshot(cluster)
    put(cluster, copies, teapot(4))

    expected = on_one_machine(tmp_path / "b.db", [*FORUM, *map(teapot, range(5))])
    assert all_found(cluster, tmp_path / "new node") == expected
    assert all_found(cluster, copies) == expected


def test_a_snapshot_is_never_changed_by_who_uses_it(cluster: ClusterFolder, copies: Path) -> None:
    def contents() -> dict[Path, bytes]:
        folder = cluster.current.snapshot.folder
        return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    before = contents()
    put(cluster, copies, teapot(1))
    all_found(cluster, copies)
    next_generation(cluster, shards=2)

    assert contents() == before


@pytest.mark.parametrize("milliseconds", [0, 60, 120])
def test_nothing_is_lost_when_a_snapshot_is_killed(
    cluster: ClusterFolder, copies: Path, tmp_path: Path, milliseconds: int
) -> None:
    put(cluster, copies, *map(teapot, range(3)))
    code = f"""
import sys
from pathlib import Path
from askagain.cluster.building import take_snapshot
from askagain.cluster.layout import ClusterFolder
cluster = ClusterFolder.open(Path({str(cluster.path)!r}))
print("begins", flush=True)
take_snapshot(cluster)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(milliseconds / 1000)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)

    expected = on_one_machine(tmp_path / "b.db", [*FORUM, *map(teapot, range(3))])
    assert all_found(cluster, tmp_path / "new node") == expected
    assert take_snapshot(cluster).questions == 33
    assert all_found(cluster, tmp_path / "newer node") == expected


# Generations


@pytest.mark.parametrize("shards", [1, 2, 4, 7])
def test_another_number_of_shards_changes_no_result(
    cluster: ClusterFolder, copies: Path, tmp_path: Path, shards: int
) -> None:
    put(cluster, copies, teapot(1), replace(FORUM[3], title="Edited teapot"))
    with writing(cluster, copies) as desk:
        desk.delete(FORUM[5].id, anything)
    before = all_found(cluster, copies)

    made = next_generation(cluster, shards=shards)
    cluster.choose(made)

    assert (made.number, made.shards, made.system) == (2, shards, "bm25")
    assert all_found(cluster, copies) == before


def test_writes_to_the_one_are_found_in_the_other(cluster: ClusterFolder, copies: Path) -> None:
    made = next_generation(cluster, shards=2)
    with searching(cluster, copies) as old:
        put(cluster, copies, teapot(1))
        cluster.choose(made)
        put(cluster, copies, teapot(2), FORUM[0])
        with searching(cluster, copies) as new:
            assert found(new, "boot teapot", 50) == found(old, "boot teapot", 50)
            assert {"teapot-1", "teapot-2"} <= {id for id, _, _ in found(new, "teapot")}


def test_what_was_deleted_before_a_change_comes_back_to_its_old_place(
    cluster: ClusterFolder, copies: Path, tmp_path: Path
) -> None:
    with writing(cluster, copies) as desk:
        desk.put_many([Delete(FORUM[0].id), Delete(FORUM[7].id), teapot(1)])
    take_snapshot(cluster)
    cluster.choose(next_generation(cluster, shards=5))
    put(cluster, copies, teapot(2), FORUM[7], FORUM[0])

    assert all_found(cluster, copies) == on_one_machine(tmp_path / "b.db", [*FORUM, teapot(1), teapot(2)])


@pytest.mark.parametrize("system", ["lmd", "tfidf"])
def test_another_system_can_take_over(
    cluster: ClusterFolder, copies: Path, tmp_path: Path, system: str
) -> None:
    put(cluster, copies, teapot(1))
    cluster.choose(next_generation(cluster, system=system))

    assert (cluster.current.shards, cluster.current.system) == (3, system)
    assert all_found(cluster, copies) == on_one_machine(tmp_path / "b.db", [*FORUM, teapot(1)], system)


def test_a_recipe_of_ones_own_can_take_over(cluster: ClusterFolder, copies: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text(RECIPE)
    cluster.choose(next_generation(cluster, system=str(recipe)))
    expected = on_one_machine(tmp_path / "b.db", FORUM, str(recipe))
    recipe.unlink()

    assert cluster.current.system == "mine"
    assert all_found(cluster, copies) == expected

    cluster.choose(next_generation(cluster, shards=2))
    assert cluster.current.system == "mine"
    assert all_found(cluster, copies) == expected


def test_a_generation_that_cannot_be_made_changes_nothing(cluster: ClusterFolder) -> None:
    with pytest.raises(SettingsError, match="no system is named"):
        next_generation(cluster, system="unheard-of")
    with pytest.raises(SettingsError, match="shards"):
        next_generation(cluster, shards=2000)

    assert [each.number for each in cluster.generations()] == [1]
    assert cluster.current.number == 1


def test_the_log_is_kept_for_a_generation_that_is_not_served_yet(
    cluster: ClusterFolder, copies: Path, tmp_path: Path
) -> None:
    made = next_generation(cluster, shards=2)
    for number in range(3):
        put(cluster, copies, teapot(number))
        take_snapshot(cluster)

    cluster.choose(made)

    expected = on_one_machine(tmp_path / "b.db", [*FORUM, *map(teapot, range(3))])
    assert all_found(cluster, tmp_path / "new node") == expected


def test_a_cluster_without_snapshot_cannot_be_changed(cluster: ClusterFolder) -> None:
    with cluster.new_generation(2, "bm25", None):
        pass
    cluster.choose(cluster.generation(2))

    with pytest.raises(ClusterError, match="has no snapshot"):
        next_generation(cluster, shards=4)


def test_one_process_at_a_time_makes_generations_and_snapshots(cluster: ClusterFolder) -> None:
    """A snapshot would forget what a generation in the making needs."""
    with cluster.changing():
        with pytest.raises(ClusterError, match="is being made"):
            take_snapshot(cluster)
        with pytest.raises(ClusterError, match="is being made"):
            next_generation(cluster, shards=2)

    assert next_generation(cluster, shards=2).number == 2


def test_a_replaced_generation_stays_until_a_service_has_started_the_next(cluster: ClusterFolder) -> None:
    cluster.note_deployed(cluster.current)
    made = next_generation(cluster, shards=2)
    cluster.choose(made)

    take_snapshot(cluster)
    assert [each.number for each in cluster.generations()] == [1, 2]

    cluster.note_deployed(made)
    take_snapshot(cluster)
    assert [each.number for each in cluster.generations()] == [2]
