"""All shards as one: asked at one position of the log, by any number of gateways."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from clusters import FORUM, LosingShards

from askagain import Question
from askagain.cluster.building import take_snapshot
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Delete, Put, Write, numbered
from askagain.cluster.near import NearShards
from askagain.cluster.shard import Answer, Call, Change
from askagain.cluster.shards import MovedOnError, Shards, Transport, opened
from askagain.lexical.index import Whole
from askagain.views import LexicalKey


@pytest.fixture
def reached(cluster: ClusterFolder, copies: Path) -> Iterator[LosingShards]:
    with LosingShards(cluster, copies) as transport:
        yield transport


@pytest.fixture
def shards(cluster: ClusterFolder, reached: LosingShards) -> Shards:
    return opened(cluster, cluster.current, reached)


@pytest.fixture
def others(cluster: ClusterFolder, tmp_path: Path) -> Iterator[Shards]:
    """Of another gateway, with replicas of its own."""
    with opened(
        cluster, cluster.current, NearShards(cluster, cluster.current, tmp_path / "others")
    ) as shards:
        yield shards


@pytest.fixture
def beside(cluster: ClusterFolder, reached: LosingShards) -> Shards:
    """Of another gateway that asks the same replicas."""
    return opened(cluster, cluster.current, reached)


def puts(*ids: str) -> Callable[[int], Sequence[Write]]:
    """Decides to write new questions."""
    return lambda number: numbered([Question(id=id, title=f"Title {id}") for id in ids], number)


def size(shards: Shards) -> int:
    return sum(shards.ask_all(Call("count")).values())


class Counting:
    """Keeps how many questions there are."""

    def __init__(self) -> None:
        self.questions = 0
        self.begun = 0

    def begin(self, parts: Iterable[dict[LexicalKey, Whole]]) -> None:
        self.questions = sum(counts.size for part in parts for counts in part.values())
        self.begun += 1

    def follow(self, change: Change) -> None:
        self.questions += sum(counts.size for counts in change.counts.values())


def test_all_are_asked(shards: Shards) -> None:
    assert shards.count == 3
    assert size(shards) == 30
    assert shards.missing == set()


def test_a_call_that_waits_goes_out_with_the_next_one(
    reached: LosingShards, shards: Shards, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips: list[list[Call]] = []
    ask = reached.ask

    def counted(position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        trips.append(list(calls[0]))
        return ask(position, calls)

    monkeypatch.setattr(reached, "ask", counted)
    later = shards.ask_later(Call("count"))
    assert not trips

    now = shards.ask_all(Call("count"))

    assert later() == now
    assert trips == [[Call("count"), Call("count")]]


def test_a_write_is_there_at_its_position(shards: Shards) -> None:
    assert shards.write(puts("new")) == 1

    shards.catch_up()
    assert shards.position == 1
    assert size(shards) == 31


def test_nothing_to_write_is_no_entry(cluster: ClusterFolder, shards: Shards) -> None:
    assert shards.write(lambda _: []) == 0
    assert cluster.log.end(0) == 0


def test_numbers_go_on_after_those_of_the_archive(shards: Shards, others: Shards) -> None:
    given: list[int] = []

    def decide(number: int) -> Sequence[Write]:
        given.append(number)
        return puts(f"{number}-a", f"{number}-b")(number)

    shards.write(decide)
    others.write(decide)

    assert given == [31, 33]


def test_whoever_was_overtaken_decides_again(shards: Shards, others: Shards) -> None:
    seen: list[int] = []

    def decide(number: int) -> Sequence[Write]:
        seen.append(size(shards))
        if len(seen) == 1:
            others.write(puts("of the others"))
        return puts("own")(number)

    assert shards.write(decide) == 2
    assert seen == [30, 31]


def test_shards_that_have_moved_on_are_asked_again(shards: Shards, beside: Shards) -> None:
    beside.write(puts("new"))
    beside.catch_up()
    beside.ask_all(Call("count"))

    with pytest.raises(MovedOnError, match="stands at 1 and was asked at 0: ask again"):
        shards.ask_all(Call("count"))
    shards.catch_up()
    assert size(shards) == 31


class OneByOne:
    """Replicas answer one call after the other, whoever asks."""

    def __init__(self, reached: Transport) -> None:
        self._reached = reached
        self._lock = threading.Lock()

    @property
    def shards(self) -> int:
        return self._reached.shards

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        with self._lock:
            return self._reached.ask(position, calls)

    def close(self) -> None:
        """Others ask them, too."""


def test_gateways_that_write_at_once_lose_nothing(cluster: ClusterFolder, reached: LosingShards) -> None:
    replicas = OneByOne(reached)

    def write(name: int) -> None:
        shards = opened(cluster, cluster.current, replicas)
        for id in (f"{name}-{number}" for number in range(15)):
            shards.write(partial(_if_new, shards, id))

    threads = [threading.Thread(target=write, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    shards = opened(cluster, cluster.current, replicas)
    shards.catch_up()
    assert size(shards) == 30 + 3 * 15
    numbers = [
        write.number for entry in cluster.log.after(0) for write in entry.writes if isinstance(write, Put)
    ]
    assert numbers == list(range(31, 31 + 45))


def _if_new(shards: Shards, id: str, number: int) -> Sequence[Write]:
    assert all(not found for found in shards.ask_all(Call("by_ids", ([id],))).values())
    return numbered([Question(id=id, title="Title")], number)


def test_who_was_away_while_the_log_was_forgotten_loses_nothing(
    cluster: ClusterFolder, copies: Path, shards: Shards, others: Shards
) -> None:
    for round in range(3):
        others.write(puts(f"new-{round}"))
        take_snapshot(cluster)
    assert not cluster.log.has(1)

    assert shards.write(puts("late")) == 4
    with opened(cluster, cluster.current, NearShards(cluster, cluster.current, copies)) as new:
        new.catch_up()
        assert size(new) == 34


# Statistics


def test_keepers_follow_all_changes(shards: Shards) -> None:
    keeper = Counting()
    shards.tell(keeper)
    shards.catch_up()
    assert (keeper.questions, keeper.begun) == (30, 1)

    shards.write(lambda number: [*puts("a", "b")(number), Delete(FORUM[0].id)])
    shards.catch_up()
    assert (keeper.questions, keeper.begun) == (31, 1)


def test_a_keeper_that_comes_later_begins_with_all(shards: Shards) -> None:
    first, second = Counting(), Counting()
    shards.tell(first)
    shards.write(puts("a"))
    shards.catch_up()
    shards.tell(second)
    shards.catch_up()

    assert first.questions == second.questions == 31


def test_keepers_begin_anew_when_a_shard_has(reached: LosingShards, shards: Shards, beside: Shards) -> None:
    keeper = Counting()
    shards.tell(keeper)
    shards.catch_up()
    beside.write(puts("a"))
    beside.catch_up()
    beside.ask_all(Call("count"))
    reached.begin_anew()

    shards.catch_up()

    assert (keeper.questions, keeper.begun) == (31, 2)


# Shards that are away


def test_who_is_missing_is_noted(reached: LosingShards, shards: Shards) -> None:
    reached.away = {1}

    assert set(shards.ask_all(Call("count"))) == {0, 2}
    assert shards.missing == {1}


def test_what_happened_while_a_shard_was_away_is_caught_up_with(
    reached: LosingShards, shards: Shards
) -> None:
    keeper = Counting()
    shards.tell(keeper)
    shards.catch_up()
    reached.away = {1}
    shards.write(puts(*(f"new-{number}" for number in range(30))))
    shards.catch_up()
    assert 30 < keeper.questions < 60

    reached.away = set()
    shards.catch_up()
    assert (keeper.questions, keeper.begun) == (60, 1)


def test_a_shard_that_was_away_from_the_beginning_is_counted_when_it_comes(
    reached: LosingShards, shards: Shards
) -> None:
    keeper = Counting()
    shards.tell(keeper)
    reached.away = {2}
    shards.catch_up()
    assert keeper.questions < 30

    reached.away = set()
    shards.catch_up()
    assert keeper.questions == 30
    assert shards.missing == {2}  # until somebody clears it
