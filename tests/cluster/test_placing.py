"""The shard of a question is decided by its id."""

from collections import Counter

import pytest

from askagain.cluster.placing import shard_of

IDS = [f"question-{number}" for number in range(10_000)]


def test_where_questions_are_never_changes_from_version_to_version() -> None:
    assert [shard_of(id, 7) for id in ("1", "2", "boot", "a/b", "é")] == [3, 3, 1, 1, 2]


def test_one_shard_has_all_questions() -> None:
    assert {shard_of(id, 1) for id in IDS} == {0}


@pytest.mark.parametrize("shards", [2, 7, 16])
def test_shards_have_equally_many_questions(shards: int) -> None:
    counts = Counter(shard_of(id, shards) for id in IDS)

    assert sorted(counts) == list(range(shards))
    assert max(counts.values()) < 1.2 * len(IDS) / shards


@pytest.mark.parametrize("shards", [1, 4, 7])
def test_with_one_more_shard_only_its_own_questions_move(shards: int) -> None:
    moved = [id for id in IDS if shard_of(id, shards) != shard_of(id, shards + 1)]

    assert {shard_of(id, shards + 1) for id in moved} == {shards}
    assert len(moved) == pytest.approx(len(IDS) / (shards + 1), rel=0.2)


@pytest.mark.parametrize("id", ["", "\ud800", "\0", "a/b", "\u200b", "x" * 100_000])
def test_every_text_has_a_shard(id: str) -> None:
    assert 0 <= shard_of(id, 5) < 5
