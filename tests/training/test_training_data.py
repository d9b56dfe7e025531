"""What is learned from, and what is kept apart to measure with."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from askagain import Archive, Mark, Question, Verdict
from askagain.sample import forum
from askagain.training.data import TrainingData, assembled, divided, from_archive


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db") as opened:
        yield opened


def groups(data: TrainingData) -> list[set[str]]:
    """The groups of more than one question."""
    found: dict[int, set[str]] = {}
    for question, group in zip(data.questions, data.groups.tolist(), strict=True):
        found.setdefault(group, set()).add(question.id)
    return [group for group in found.values() if len(group) > 1]


def test_duplicates_of_duplicates_belong_together() -> None:
    questions = [Question(letter, id=letter) for letter in "abcdef"]

    data = assembled(questions, [("a", "d"), ("d", "f"), ("b", "c")], [])

    assert sorted(map(sorted, groups(data))) == [["a", "d", "f"], ["b", "c"]]


def test_a_group_of_duplicates_is_never_on_both_sides() -> None:
    pairs = [(f"{group}.0", f"{group}.{other}") for group in range(40) for other in (1, 2)]

    train, dev = divided(pairs, seed=3)

    assert sorted(train + dev) == sorted(pairs)
    assert {a.split(".")[0] for a, _ in train}.isdisjoint({a.split(".")[0] for a, _ in dev})
    assert len({a.split(".")[0] for a, _ in dev}) == 4


def test_a_few_groups_all_teach() -> None:
    pairs = [(f"{group}.0", f"{group}.1") for group in range(9)]

    assert divided(pairs, seed=0) == (pairs, [])


def test_an_archive_gives_its_questions_and_duplicate_marks(archive: Archive) -> None:
    forum.load_into(archive)

    data = from_archive(archive, seed=0)

    assert len(data.questions) == 357
    assert data.dev is not None
    learned = {data.questions[row].id for row in data.pairs.ravel()}
    measured = {data.questions[row].id for row in data.dev.queries}
    assert learned.isdisjoint(measured)
    assert len(data.pairs) > 100


def test_marks_on_deleted_questions_teach_nothing(archive: Archive) -> None:
    archive.put_many(Question(letter, id=letter) for letter in "abc")
    archive.mark(Mark("a", "b"))
    archive.mark(Mark("b", "c", Verdict.NOT_DUPLICATE))
    archive.delete("b")

    data = from_archive(archive, seed=0)

    assert [question.id for question in data.questions] == ["a", "c"]
    assert data.pairs.shape == (0, 2)
    assert data.dev is None


def test_an_archive_without_marks_has_its_text(archive: Archive) -> None:
    archive.put_many(Question(letter, id=letter) for letter in "abc")

    data = from_archive(archive, seed=0)

    assert [question.id for question in data.questions] == ["a", "b", "c"]
    assert data.pairs.shape == (0, 2)
    assert data.groups.tolist() == [0, 1, 2]


def test_no_question_is_its_own_duplicate() -> None:
    data = assembled([Question(letter, id=letter) for letter in "ab"], [("a", "a")], [("b", "b")])

    assert data.pairs.shape == (0, 2)
    assert data.dev is None


def test_dev_marks_are_no_negatives_while_learning() -> None:
    data = assembled([Question(letter, id=letter) for letter in "abc"], [("a", "b")], [("b", "c")])

    assert data.groups.tolist() == [0, 0, 0]


def test_the_hash_tells_whether_anything_changed() -> None:
    questions = [Question(letter, id=letter) for letter in "abcd"]
    data = assembled(questions, [("a", "b")], [])

    assert data.hash == assembled(questions, [("a", "b")], []).hash
    assert data.hash != assembled(questions, [("a", "c")], []).hash
    assert data.hash != assembled([*questions[:3], Question("d!", id="d")], [("a", "b")], []).hash
    assert data.hash != assembled(questions, [("a", "b")], [("c", "d")]).hash


def test_rows_are_numbers_of_questions() -> None:
    data = assembled([Question(letter, id=letter) for letter in "xyz"], [("z", "x")], [])

    assert np.array_equal(data.pairs, [[2, 0]])
