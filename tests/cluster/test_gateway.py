"""An engine over all shards."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from clusters import FORUM, LosingShards, anything, found, make_archive, searching, told, writing

from askagain import Engine, Question
from askagain.cluster import shards
from askagain.cluster.building import create_cluster
from askagain.cluster.gateway import Asked, ShardedEngine
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.log import Entry, Put, numbered
from askagain.cluster.near import NearShards
from askagain.cluster.placing import shard_of
from askagain.cluster.shard import Answer, Call
from askagain.errors import UnreachableError

TITLE = "How do I boot an encrypted phone?"


@pytest.fixture
def reached(cluster: ClusterFolder, copies: Path) -> LosingShards:
    return LosingShards(cluster, copies)


@pytest.fixture
def engine(cluster: ClusterFolder, reached: LosingShards) -> Iterator[ShardedEngine]:
    with ShardedEngine(cluster, cluster.current, reached) as engine:
        yield engine


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Engine]:
    """One machine with all questions."""
    with Engine.open(make_archive(tmp_path / "alone.db"), "bm25") as engine:
        yield engine


def test_it_finds_what_one_machine_finds(engine: ShardedEngine, alone: Engine) -> None:
    assert found(engine, TITLE, 30) == told(alone.search(Question(title=TITLE), 30))


def test_it_explains_as_one_machine_does(engine: ShardedEngine, alone: Engine) -> None:
    matches = engine.search(Asked(Question(title=TITLE), 5, explained=True)).matches

    assert matches == alone.search(Question(title=TITLE), 5)
    assert matches[0].explanation is not None


def test_several_questions_are_answered_together(engine: ShardedEngine, alone: Engine) -> None:
    questions = [Question(title=title) for title in (TITLE, "wipe", "", "unheard-of")]

    answers = engine.search_together([Asked(question, 4) for question in questions])

    assert [told(answer.matches) for answer in answers] == [
        told(alone.search(question, 4, explain="none")) for question in questions
    ]
    assert engine.search_together([]) == []


def test_best_asks_for_candidates_and_then_for_their_texts_and_vectors(tmp_path: Path, copies: Path) -> None:
    cluster = create_cluster(tmp_path / "two", make_archive(tmp_path / "forum.db"), 2, system="best")
    trips: list[set[str]] = []

    class Counting(NearShards):
        def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
            trips.append({call.method for call in calls[0]})
            return super().ask(position, calls)

    with ShardedEngine(cluster, cluster.current, Counting(cluster, cluster.current, copies)) as engine:
        engine.search_together([Asked(Question(title=TITLE)), Asked(Question(title="wipe a camera"))])

    assert trips == [{"statistics"}, {"lexical", "neighbours"}, {"by_numbers", "cosines"}]


def test_what_is_wanted_less_likely_than_asked_is_left_out(engine: ShardedEngine) -> None:
    asked = Asked(Question(title=TITLE), 5, least=0.5)

    assert len(engine.search(asked).matches) == 5  # bm25 knows no probabilities


@pytest.mark.parametrize("title", ["\ud800", "\0", "\u200b", "", "a/b", "<b>" * 1000, "boot " * 50_000])
def test_any_text_can_be_searched_for(engine: ShardedEngine, alone: Engine, title: str) -> None:
    assert found(engine, title) == told(alone.search(Question(title=title), explain="none"))


def test_a_write_is_found_by_the_next_search(
    cluster: ClusterFolder, engine: ShardedEngine, copies: Path
) -> None:
    before = engine.search(Asked(Question(title="zirconium")))
    with writing(cluster, copies) as desk:
        desk.put(Question(id="new", title="A zirconium teapot"), anything)

    after = engine.search(Asked(Question(title="zirconium")))

    assert (before.matches, before.position) == ([], 0)
    assert ([match.id for match in after.matches], after.position) == (["new"], 1)


def test_a_search_answers_at_one_position_while_others_write(
    cluster: ClusterFolder, engine: ShardedEngine, tmp_path: Path
) -> None:
    """All four are written together, so that all or none are there."""
    names = ["teapot-a", "teapot-b", "teapot-c", "teapot-d"]
    ended = threading.Event()

    def write() -> None:
        try:
            with writing(cluster, tmp_path / "others") as desk:
                for number in range(40):
                    desk.put_many([Question(id=name, title=f"A teapot number {number}") for name in names])
        finally:
            ended.set()

    thread = threading.Thread(target=write)
    thread.start()
    positions = []
    while not ended.is_set():
        answer = engine.search(Asked(Question(title="teapot"), 30))
        titles = {match.question.title for match in answer.matches if match.question}
        assert len(titles) <= 1
        assert len(answer.matches) in (0, 4)
        assert len({match.score for match in answer.matches}) <= 1
        positions.append(answer.position)
    thread.join()

    assert positions == sorted(positions)
    assert engine.search(Asked(Question(title="teapot"))).position == 40


class Disturbed(LosingShards):
    """Others write whenever somebody has asked."""

    def __init__(self, cluster: ClusterFolder, copies: Path, writes: int) -> None:
        super().__init__(cluster, copies)
        self._log = cluster.log
        self._writes = writes

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        answers = super().ask(position, calls)
        end = self._log.end(position)
        if end < self._writes:
            number = 31 + end
            new = Question(id=f"teapot-{number}", title="A teapot")
            self._log.append(Entry(end + 1, number + 1, (Put(number, new),)))
        return answers


def test_searches_together_see_the_same_questions_whatever_others_write(
    cluster: ClusterFolder, copies: Path
) -> None:
    with ShardedEngine(cluster, cluster.current, Disturbed(cluster, copies, 20)) as engine:
        for _ in range(3):
            asked = [Asked(Question(title="teapot"), k) for k in (30, 31, 32, 33)]
            answers = engine.search_together(asked)
            assert len({answer.position for answer in answers}) == 1
            assert {len(answer.matches) for answer in answers} == {answers[0].position}


def test_two_gateways_at_the_same_replicas_find_each_others_writes(
    cluster: ClusterFolder, engine: ShardedEngine, reached: LosingShards
) -> None:
    other = ShardedEngine(cluster, cluster.current, reached)
    for number in range(10):
        question = Question(id=f"teapot-{number}", title=f"Teapot number {number}")
        writer, reader = (engine, other) if number % 2 else (other, engine)
        writer.shards.write(partial(numbered, [question]))
        assert found(reader, question.title)[0][0] == question.id
        assert found(writer, question.title)[0][0] == question.id


# Shards that are away


def test_a_missing_shard_is_named_and_the_others_answer(
    engine: ShardedEngine, reached: LosingShards, alone: Engine
) -> None:
    engine.get_ready()
    reached.away = {1}

    answer = engine.search(Asked(Question(title=TITLE), 30))

    whole = told(alone.search(Question(title=TITLE), 30))
    assert answer.missing == (1,)
    assert told(answer.matches) == [each for each in whole if shard_of(each[0], 3) != 1]


def test_answers_are_whole_again_when_the_shard_is_back(
    engine: ShardedEngine, reached: LosingShards, alone: Engine
) -> None:
    reached.away = {0, 2}
    assert engine.search(Asked(Question(title=TITLE))).missing == (0, 2)

    reached.away = set()
    answer = engine.search(Asked(Question(title=TITLE), 30))

    assert answer.missing == ()
    assert told(answer.matches) == told(alone.search(Question(title=TITLE), 30))


def test_nothing_is_found_when_all_are_away(engine: ShardedEngine, reached: LosingShards) -> None:
    reached.away = {0, 1, 2}

    answer = engine.search(Asked(Question(title=TITLE)))

    assert (answer.matches, answer.missing) == ([], (0, 1, 2))


def test_writes_while_a_shard_is_away_are_found_when_it_is_back(
    cluster: ClusterFolder, engine: ShardedEngine, reached: LosingShards, copies: Path, alone: Engine
) -> None:
    engine.get_ready()
    reached.away = {1}
    new = [Question(id=f"new-{number}", title=f"A boot teapot {number}") for number in range(20)]
    with writing(cluster, copies) as desk:
        desk.put_many([*new, *(Question(id=each.id, title="Edited") for each in FORUM[:9])])
        alone.archive.put_many([*new, *(Question(id=each.id, title="Edited") for each in FORUM[:9])])
    assert engine.search(Asked(Question(title=TITLE))).missing == (1,)

    reached.away = set()

    assert found(engine, TITLE, 50) == told(alone.search(Question(title=TITLE), 50))
    assert found(engine, "boot teapot", 50) == told(alone.search(Question(title="boot teapot"), 50))


def test_replicas_that_begin_anew_change_nothing(
    cluster: ClusterFolder, engine: ShardedEngine, reached: LosingShards, copies: Path
) -> None:
    with writing(cluster, copies) as desk:
        desk.put(Question(id="new", title="A boot teapot"), anything)
    before = found(engine, "boot teapot", 50)
    reached.begin_anew()

    assert found(engine, "boot teapot", 50) == before
    with searching(cluster, copies) as another:
        assert found(another, "boot teapot", 50) == before


def test_a_search_among_endless_writes_ends(
    cluster: ClusterFolder, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disturbing(NearShards):
        """Another has always just written."""

        def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
            return {shard: Answer(position + 1, ()) for shard in calls}

    monkeypatch.setattr(shards, "SECONDS_TO_SETTLE", 0.2)
    transport = Disturbing(cluster, cluster.current, copies)
    with (
        ShardedEngine(cluster, cluster.current, transport) as engine,
        pytest.raises(UnreachableError, match="others write faster"),
    ):
        engine.search(Asked(Question(title=TITLE)))
