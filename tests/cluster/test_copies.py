"""Copies of shards on a node: each is used by one process, and left ones are taken over."""

import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clusters import anything, writing

from askagain import Question
from askagain.cluster.building import take_snapshot
from askagain.cluster.copies import own_copy, own_shard
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.shard import Call
from askagain.errors import ClusterError

HOLDER = Path(__file__).with_name("copy_holder.py")


@contextmanager
def holder(cluster: ClusterFolder, copies: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that uses a copy of the first shard."""
    command = [sys.executable, str(HOLDER), str(cluster.path), str(copies)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() != ""
    try:
        yield process
    finally:
        process.communicate(timeout=60)


def write(cluster: ClusterFolder, tmp_path: Path, *ids: str) -> None:
    with writing(cluster, tmp_path / "writer") as desk:
        for id in ids:
            desk.put(Question(id=id, title="Title"), anything)


def there(cluster: ClusterFolder, copies: Path) -> list[Path]:
    return sorted((copies / cluster.id / "0001" / "shard-0000").iterdir())


def test_a_copy_has_all_of_the_snapshot(cluster: ClusterFolder, copies: Path) -> None:
    with own_copy(copies, cluster, cluster.current, 0) as copy:
        snapshot = cluster.current.snapshot.shard(0)
        assert copy.is_new
        assert {path.name for path in snapshot.iterdir()} < {path.name for path in copy.folder.iterdir()}


def test_two_have_different_copies(cluster: ClusterFolder, copies: Path) -> None:
    with (
        own_copy(copies, cluster, cluster.current, 0) as one,
        own_copy(copies, cluster, cluster.current, 0) as two,
    ):
        assert one.folder != two.folder


def test_another_process_has_another_copy(cluster: ClusterFolder, copies: Path) -> None:
    with holder(cluster, copies), own_copy(copies, cluster, cluster.current, 0) as copy:
        assert copy.is_new
        assert len(there(cluster, copies)) == 2


def test_a_left_copy_is_used_again(cluster: ClusterFolder, copies: Path) -> None:
    with own_copy(copies, cluster, cluster.current, 0) as first:
        pass
    with own_copy(copies, cluster, cluster.current, 0) as second:
        assert second == (first.folder, False)


def test_shards_and_generations_have_copies_of_their_own(cluster: ClusterFolder, copies: Path) -> None:
    with own_copy(copies, cluster, cluster.current, 0) as first:
        pass
    with own_copy(copies, cluster, cluster.current, 1) as second:
        assert second.is_new
        assert second.folder.parent != first.folder.parent


def test_the_copy_of_a_process_that_was_killed_is_taken_over(
    cluster: ClusterFolder, copies: Path, tmp_path: Path
) -> None:
    with holder(cluster, copies) as process:
        os.kill(process.pid, signal.SIGKILL)
    [left] = there(cluster, copies)
    write(cluster, tmp_path, "a", "b", "c")

    with own_shard(copies, cluster, cluster.current, 0) as shard:
        assert there(cluster, copies) == [left]
        assert shard.position == 3


def test_a_copy_that_was_not_finished_is_not_used(cluster: ClusterFolder, copies: Path) -> None:
    place = copies / cluster.id / "0001" / "shard-0000"
    (place / ".half").mkdir(parents=True)
    (place / "without archive").mkdir()

    with own_copy(copies, cluster, cluster.current, 0) as copy:
        assert copy.is_new


@pytest.mark.parametrize("content", [b"", b"not a database", b"\0" * 100_000])
def test_a_damaged_copy_is_made_anew(
    cluster: ClusterFolder, copies: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with own_copy(copies, cluster, cluster.current, 0) as copy:
        (copy.folder / "archive.db").write_bytes(content)

    with caplog.at_level(logging.WARNING), own_shard(copies, cluster, cluster.current, 0) as shard:
        [count] = shard.answer(0, [Call("count")]).results
        assert count > 0
    assert "is copied anew" in caplog.text
    assert len(there(cluster, copies)) == 1


def test_a_copy_that_lacks_what_the_log_has_forgotten_is_made_anew(
    cluster: ClusterFolder, copies: Path, tmp_path: Path
) -> None:
    with own_copy(copies, cluster, cluster.current, 0) as old:
        pass
    for id in ("a", "b", "c"):
        write(cluster, tmp_path, id)
        take_snapshot(cluster)
    assert not cluster.log.has(1)

    with own_shard(copies, cluster, cluster.current, 0) as shard:
        assert shard.position == 3
        assert not old.folder.exists()


def test_what_is_wrong_with_the_log_is_told(cluster: ClusterFolder, copies: Path, tmp_path: Path) -> None:
    write(cluster, tmp_path, "a")
    [entry] = cluster.log.folder.glob("*/*.json")
    entry.write_bytes(b"damaged")

    with (
        pytest.raises(ClusterError, match=r"000000000001\.json is damaged"),
        own_shard(copies, cluster, cluster.current, 0),
    ):
        pass


def ids_in(cluster: ClusterFolder, copies: Path) -> set[str]:
    """Of all questions, as those who take over copies find them."""
    found: set[str] = set()
    for number in range(cluster.current.shards):
        with own_shard(copies, cluster, cluster.current, number) as shard:
            [some] = shard.answer(shard.position, [Call("some", (0, 1000))]).results
            found |= {question.id for _, question in some}
    return found


@pytest.mark.parametrize("written_since", [(), ("c",), ("c", "d"), ("c", "d", "e")])
def test_a_copy_that_is_ahead_of_a_restored_folder_is_thrown_away(
    cluster: ClusterFolder, copies: Path, tmp_path: Path, written_since: tuple[str, ...]
) -> None:
    """Else it would answer with what is not in the log, and lack what is."""
    shutil.copytree(cluster.path, tmp_path / "backup")
    write(cluster, tmp_path, "a", "b")
    assert {"a", "b"} <= ids_in(cluster, copies)
    shutil.rmtree(cluster.path)
    shutil.copytree(tmp_path / "backup", cluster.path)
    with writing(cluster, tmp_path / "another writer") as desk:
        for id in written_since:
            desk.put(Question(id=id, title="Title"), anything)

    found = ids_in(cluster, copies)

    assert {"a", "b"}.isdisjoint(found)
    assert set(written_since) <= found


def test_what_killed_processes_and_replaced_generations_leave_is_removed(
    cluster: ClusterFolder, copies: Path
) -> None:
    with own_copy(copies, cluster, cluster.current, 0) as used:
        half_made = used.folder.with_name(".half-made")
        replaced = copies / cluster.id / "0000" / "shard-0000" / "left"
        for folder in (half_made, replaced):
            folder.mkdir(parents=True)

        with own_copy(copies, cluster, cluster.current, 1):
            assert used.folder.exists()
            assert not half_made.exists()
            assert not replaced.exists()


def test_copies_are_for_their_owner_alone(cluster: ClusterFolder, copies: Path) -> None:
    with own_copy(copies, cluster, cluster.current, 0):
        assert (copies / cluster.id).stat().st_mode & 0o077 == 0
