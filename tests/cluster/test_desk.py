"""Reads and writes of questions in a cluster: each at the end of the log."""

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import FORUM, LosingShards, anything, make_archive, writing

from askagain import Archive, Question
from askagain.archive import PutCounts
from askagain.cluster.desk import Desk
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Delete
from askagain.cluster.placing import shard_of
from askagain.errors import ArchiveError, ConflictError, UnreachableError

NEW = Question(id="new", title="New", body="b", tags=("x",), created="2020", url="u", answer="a")
HOSTILE = [
    Question(id="a/b?c#d%2F", title="A slash"),
    Question(id="\u200b\u200d", title="\u200b"),
    Question(id="' OR 1=1 --", title="<script>alert(1)</script>"),
    Question(id="é\U0001f600", title="\U0001f600" * 100, tags=("\u202e",)),
    Question(id="huge", title="t", body="word " * 400_000),
]


@pytest.fixture
def reached(cluster: ClusterFolder, copies: Path) -> LosingShards:
    return LosingShards(cluster, copies)


@pytest.fixture
def desk(cluster: ClusterFolder, reached: LosingShards) -> Iterator[Desk]:
    with Desk(cluster, cluster.current, reached) as desk:
        yield desk


@pytest.fixture
def other(cluster: ClusterFolder, tmp_path: Path) -> Iterator[Desk]:
    """Of another gateway, with replicas of its own."""
    with writing(cluster, tmp_path / "others") as desk:
        yield desk


def refused(present: Question | None) -> None:
    raise ConflictError(f"not over {present}")


def test_what_was_put_is_there_for_everybody(desk: Desk, other: Desk) -> None:
    outcome = desk.put(NEW, anything)

    assert (outcome.before, outcome.changed, outcome.position) == (None, True, 1)
    assert desk.get("new") == other.get("new") == NEW
    assert desk.count() == other.count() == 31


def test_what_is_there_is_replaced(desk: Desk) -> None:
    edited = replace(FORUM[0], title="Edited")

    outcome = desk.put(edited, anything)

    assert (outcome.before, outcome.changed) == (FORUM[0], True)
    assert desk.get(edited.id) == edited
    assert desk.count() == 30


def test_the_same_again_is_no_entry(cluster: ClusterFolder, desk: Desk) -> None:
    outcome = desk.put(FORUM[0], anything)

    assert (outcome.before, outcome.changed, outcome.position) == (FORUM[0], False, 0)
    assert cluster.log.end(0) == 0


def test_what_was_deleted_is_gone(desk: Desk, other: Desk) -> None:
    outcome = desk.delete(FORUM[0].id, anything)

    assert (outcome.before, outcome.changed, outcome.position) == (FORUM[0], True, 1)
    assert desk.get(FORUM[0].id) is other.get(FORUM[0].id) is None
    assert other.count() == 29


def test_what_is_not_there_is_not_deleted(cluster: ClusterFolder, desk: Desk) -> None:
    assert not desk.delete("unknown", anything).changed
    assert cluster.log.end(0) == 0


def test_a_check_that_objects_prevents_a_write(cluster: ClusterFolder, desk: Desk) -> None:
    with pytest.raises(ConflictError, match="not over None"):
        desk.put(NEW, refused)
    with pytest.raises(ConflictError, match="not over Question"):
        desk.delete(FORUM[0].id, refused)

    assert cluster.log.end(0) == 0


def test_a_check_sees_what_others_have_written(desk: Desk, other: Desk) -> None:
    desk.get("new")
    other.put(NEW, anything)
    seen: list[Question | None] = []

    desk.put(replace(NEW, title="Newer"), seen.append)

    assert seen == [NEW]


def test_of_many_who_add_to_the_same_question_none_is_lost(cluster: ClusterFolder, tmp_path: Path) -> None:
    def add(name: str) -> None:
        with writing(cluster, tmp_path / name) as desk:
            for number in range(8):
                while not _added(desk, f"{name}-{number}"):
                    pass

    threads = [threading.Thread(target=add, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with writing(cluster, tmp_path / "one") as desk:
        counter = desk.get("counter")
    assert counter is not None
    assert sorted(counter.tags) == sorted(f"{name}-{n}" for name in ("one", "two", "three") for n in range(8))


def _added(desk: Desk, tag: str) -> bool:
    """Adds a tag if nobody has changed the question since it was read."""
    read = desk.get("counter")

    def unchanged(present: Question | None) -> None:
        if present != read:
            raise ConflictError("somebody was faster")

    tags = read.tags if read else ()
    try:
        desk.put(Question(id="counter", title="Counter", tags=(*tags, tag)), unchanged)
    except ConflictError:
        return False
    return True


# Text


@pytest.mark.parametrize("question", HOSTILE, ids=lambda question: repr(question.id))
def test_any_text_comes_back_as_it_was(desk: Desk, other: Desk, question: Question) -> None:
    desk.put(question, anything)

    assert desk.get(question.id) == other.get(question.id) == question


def test_text_that_no_archive_keeps_is_cleaned_once_for_all(desk: Desk, other: Desk) -> None:
    broken = Question(id="broken", title="lone \ud800 and \0 NUL")

    assert desk.put(broken, anything).changed
    assert not other.put(broken, anything).changed
    assert other.put_many([broken])[0] == PutCounts(unchanged=1)
    assert other.get("broken") == Question(id="broken", title="lone \ufffd and  NUL")


@pytest.mark.parametrize("id", ["", " ", "a\nb", "\0", "\ud800", "x" * 513])
def test_an_id_that_no_question_can_have_never_gets_into_the_log(
    cluster: ClusterFolder, desk: Desk, id: str
) -> None:
    with pytest.raises(ArchiveError):
        desk.put(Question(id=id, title="t"), anything)
    with pytest.raises(ArchiveError):
        desk.put_many([NEW, Question(id=id, title="t")])
    assert not desk.delete(id, anything).changed
    assert desk.get(id) is None

    assert cluster.log.end(0) == 0


def test_a_question_that_is_too_large_never_gets_into_the_log(cluster: ClusterFolder, desk: Desk) -> None:
    large = Question(id="large", title="t", body="x" * 5_000_001)

    with pytest.raises(ArchiveError, match="shorten it"):
        desk.put(large, anything)
    with pytest.raises(ArchiveError, match="shorten it"):
        desk.put_many([large])

    assert cluster.log.end(0) == 0


# Many


def test_many_writes_are_one_entry(cluster: ClusterFolder, desk: Desk, other: Desk) -> None:
    edited = replace(FORUM[0], title="Edited")
    counts, deleted, position = desk.put_many([NEW, edited, FORUM[1], Delete(FORUM[2].id), Delete("unknown")])

    assert counts == PutCounts(added=1, changed=1, unchanged=1)
    assert (deleted, position, cluster.log.end(0)) == (1, 1, 1)
    assert other.get("new") == NEW
    assert other.get(FORUM[2].id) is None


def test_many_writes_that_change_nothing_are_no_entry(cluster: ClusterFolder, desk: Desk) -> None:
    assert desk.put_many(FORUM) == (PutCounts(unchanged=30), 0, 0)
    assert desk.put_many([]) == (PutCounts(), 0, 0)
    assert cluster.log.end(0) == 0


def test_many_random_writes_end_as_in_an_archive(desk: Desk, other: Desk, tmp_path: Path) -> None:
    chance = random.Random(7)
    ids = [question.id for question in FORUM[:6]] + ["new-1", "new-2", "new-3"]
    with Archive.open(make_archive(tmp_path / "one.db")) as archive:
        for _ in range(20):
            writes = [_random_write(chance, ids) for _ in range(chance.randrange(1, 12))]
            counts, deleted, _ = (desk if chance.random() < 0.5 else other).put_many(writes)
            assert (counts, deleted) == _written(archive, writes)
        for id in ids:
            assert desk.get(id) == other.get(id) == archive.get(id)
        assert desk.count() == len(archive)


def _random_write(chance: random.Random, ids: list[str]) -> Question | Delete:
    id = chance.choice(ids)
    return Delete(id) if chance.random() < 0.3 else Question(id=id, title=f"Title {chance.randrange(3)}")


def _written(archive: Archive, writes: list[Question | Delete]) -> tuple[PutCounts, int]:
    counts, deleted = PutCounts(), 0
    for write in writes:
        if isinstance(write, Delete):
            deleted += archive.delete(write.id)
        else:
            counts += archive.put_many([write])
    return counts, deleted


# Shards that are away


def test_what_cannot_be_seen_is_not_written_over(
    cluster: ClusterFolder, desk: Desk, reached: LosingShards
) -> None:
    shard = shard_of(FORUM[0].id, 3)
    reached.away = {shard}

    with pytest.raises(UnreachableError, match=f"shard {shard} cannot be reached: try again later"):
        desk.put(replace(FORUM[0], title="Edited"), anything)
    with pytest.raises(UnreachableError):
        desk.delete(FORUM[0].id, anything)
    with pytest.raises(UnreachableError):
        desk.put_many(FORUM)
    with pytest.raises(UnreachableError):
        desk.get(FORUM[0].id)
    assert cluster.log.end(0) == 0


def test_what_is_elsewhere_can_be_read_and_written(desk: Desk, reached: LosingShards) -> None:
    reached.away = {shard_of(FORUM[0].id, 3)}
    elsewhere = next(each for each in FORUM if shard_of(each.id, 3) not in reached.away)

    assert desk.get(elsewhere.id) == elsewhere
    assert desk.put(replace(elsewhere, title="Edited"), anything).changed


def test_a_shard_that_is_back_is_asked_again(desk: Desk, reached: LosingShards) -> None:
    reached.away = {0, 1, 2}
    with pytest.raises(UnreachableError, match="shard 0, shard 1, shard 2 cannot be reached"):
        desk.count()

    reached.away = set()
    assert desk.count() == 30


def test_nothing_is_written_for_somebody_who_was_told_that_it_failed(desk: Desk, other: Desk) -> None:
    """It could replace what was written, and acknowledged, since."""
    desk.give_up_at = time.monotonic() - 1

    with pytest.raises(UnreachableError, match="was not written"):
        desk.put(NEW, anything)

    assert other.get("new") is None
