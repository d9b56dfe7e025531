"""The cluster's benchmark: what it compares, counts and extrapolates, on a few questions and without Ray."""

from pathlib import Path

import pytest

from askagain import Archive, Question
from askagain.cluster.log import Delete, Entry, numbered
from askagain.sample import forum
from cluster_capacity import Line, Model, Point, need
from cluster_equality import Difference, compared, difference, on_one_machine, random_edits
from cluster_faults import Run, check_after, check_meanwhile, rendered
from cluster_load import Answer
from cluster_overhead import load_script
from cluster_processes import GATEWAY, RAY, REPLICA, Usage, part_of
from cluster_report import table


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> list[Question]:
    with Archive.open(tmp_path_factory.mktemp("forum") / "forum.db") as archive:
        forum.load_into(archive)
        return list(archive.questions())


@pytest.fixture
def path(tmp_path: Path, questions: list[Question]) -> Path:
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(questions)
    return tmp_path / "forum.db"


def test_shards_answer_as_one_machine_before_and_after_edits(questions: list[Question]) -> None:
    edits = random_edits(questions, 10, seed=1)
    [(shards, before, live)] = compared(questions, questions[:5], edits, "bm25", [3], top=10)
    assert shards == 3
    assert before == Difference(rankings=5, differing=0, largest=0.0)
    assert live == Difference(rankings=15, differing=0, largest=0.0)


def test_edits_add_change_and_delete_and_touch_no_question_twice(questions: list[Question]) -> None:
    edits = random_edits(questions, 100, seed=1)
    known = {question.id for question in questions}
    deleted = {edit.id for edit in edits if isinstance(edit, Delete)}
    changed = {edit.id for edit in edits if edit.id in known} - deleted
    assert len({edit.id for edit in edits}) == 100
    assert min(len(deleted), len(changed), 100 - len(deleted) - len(changed)) > 10


def test_another_order_and_another_score_are_differences() -> None:
    first, second = ("a", 2.0, 0.5), ("b", 1.0, 0.25)
    assert difference([[first, second]], [[first, second]]) == Difference(1, 0, 0.0)
    assert difference([[first, second]], [[second, first]]) == Difference(1, 1, 1.0)
    assert difference([[first, second]], [[first]]) == Difference(1, 1, 0.0)
    assert difference([[first]], [[("a", 2.0, None)]]) == Difference(1, 0, float("inf"))


def answers(path: Path, titles: list[str], position: int) -> list[Answer]:
    """As a faultless cluster would give them."""
    queries = [Question(title=title) for title in titles]
    found = on_one_machine(path, "bm25", queries, [], 10).before
    return [
        Answer(title, 200, False, position, ranking, 0.0, 0.1)
        for title, ranking in zip(titles, found, strict=True)
    ]


def test_answers_are_compared_at_their_position_of_the_log(path: Path, questions: list[Question]) -> None:
    title = questions[0].title
    right = answers(path, [title], position=0)
    run = Run(answers=[*right, Answer(title, 200, False, 1, right[0].ranking, 0.0, 0.1)])
    twin = Question(id="twin", title=title, body=questions[0].body)
    check_meanwhile(run, path, "bm25", [Entry(1, 1001, tuple(numbered([twin], 1000)))])
    assert (run.replayed, run.wrong_meanwhile) == (2, 1)


def test_a_write_that_the_last_answers_do_not_show_is_noticed(path: Path, questions: list[Question]) -> None:
    final = answers(path, [questions[0].title, "zebra"], position=1)
    run = Run(final=final, acknowledged=[Delete(questions[0].id)])
    check_after(run, path, "bm25")
    assert run.wrong_after == 1


def test_partial_answers_are_counted_with_the_kill_before_them() -> None:
    whole = Answer("title", 200, False, 1, [], 1.0, 0.1)
    partial = Answer("title", 200, True, 1, [], 5.0, 0.1)
    refused = Answer("title", 503, False, 0, [], 5.0, 10.0)
    run = Run(kills=[(2.0, "process"), (4.0, "node")], seconds_to_recover=[1.0, 2.0])
    run.answers = [whole, whole, partial, refused]
    told = rendered(run)
    assert "| answered by all shards | 2 (50.000%) |" in told
    assert "| answered at all | 3 (75.000%) |" in told
    assert "| the others, by the kill before | node 2 |" in told


def point(questions: int, shards: int) -> Point:
    """A cluster whose needs are exactly linear."""
    in_a_shard = questions / shards
    return Point(
        questions,
        shards,
        rate=100.0,
        replica_megabytes=200 + in_a_shard / 1000,
        gateway_megabytes=100 + questions / 10_000,
        ray_megabytes=500.0,
        replica_cpu=shards * (0.001 + in_a_shard * 1e-8),
        gateway_cpu=0.002 + 0.001 * shards,
        ray_cpu=0.0,
    )


def test_the_model_finds_what_grows_with_what() -> None:
    model = Model.of([point(size, shards) for size in (50_000, 100_000) for shards in (1, 2)])
    needed = need(model, 2_000_000, per_shard=1_000_000, replicas=2)
    assert needed.shards == 2
    assert needed.gigabytes == pytest.approx((4 * 1200 + 300 + 500) / 1024)
    assert needed.cores == pytest.approx(100 * (2 * 0.011 + 0.004))


def test_a_line_that_falls_is_taken_for_noise() -> None:
    assert Line.through([1, 2], [5.0, 3.0]) == Line(4.0, 0.0)


def test_parts_are_known_by_the_titles_of_processes() -> None:
    assert part_of("ray::ServeReplica:askagain-12345678-0001:shard-0000") == REPLICA
    assert part_of("ray::ServeReplica:askagain-12345678-0001:Together") == RAY
    assert part_of("python -m askagain cluster serve forum.cluster") == GATEWAY


def test_usage_is_by_part_and_process() -> None:
    usage = Usage(seconds=2.0)
    usage.cpu[REPLICA] = 3.0
    usage.megabytes[REPLICA] = 300.0
    usage.processes[REPLICA] = 2
    assert usage.cores() == {REPLICA: 1.5}
    assert usage.megabytes_each(REPLICA) == 150.0


def test_each_request_of_the_load_asks_another_question(tmp_path: Path) -> None:
    script = load_script(tmp_path, ['a "quoted" title', "über"], explain=True)
    bodies = (tmp_path / "explain-true.jsonl").read_text(encoding="utf-8").splitlines()
    assert bodies[0] == '{"title": "a \\"quoted\\" title", "explain": true}'
    assert len(bodies) == 2
    assert str(tmp_path / "explain-true.jsonl") in script.read_text(encoding="utf-8")


def test_tables_are_markdown() -> None:
    assert table(["a", "b"], [["x", 12345]]) == "| a | b |\n|---|---|\n| x | 12,345 |"
