"""What a question set offers to learn from."""

import gzip
import json
from pathlib import Path

import pytest

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import TITLE_AND_BODY, TITLE_ONLY
from askagain.training.data import TrainingData
from askagain.training.sets import from_set


def set_of(folder: Path, **marks: str) -> Path:
    """A set of 60 questions; marks are groups of two, such as "0-1 2-3", by their split."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"id": f"q{n}", "title": f"title {n}", "body": f"body {n}"} for n in range(60)]
    with gzip.open(folder / "questions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    for split, pairs in marks.items():
        lines = [f"q{first}\tq{second}\n" for first, second in (pair.split("-") for pair in pairs.split())]
        name = "duplicates.tsv" if split == "all" else f"duplicates.{split}.tsv"
        (folder / name).write_text("".join(lines))
    return folder


def learned(data: TrainingData) -> set[frozenset[str]]:
    return {frozenset(data.questions[row].id for row in pair) for pair in data.pairs}


def measured(data: TrainingData) -> dict[str, set[str]]:
    assert data.dev is not None
    return {
        data.questions[query].id: {data.questions[row].id for row in found}
        for query, found in zip(data.dev.queries, data.dev.relevant, strict=True)
    }


def test_the_train_split_teaches_and_the_dev_split_measures(tmp_path: Path) -> None:
    folder = set_of(tmp_path / "myset", train="0-1 1-2", dev="3-4", test="5-6")

    data = from_set(folder, TITLE_AND_BODY, seed=0)

    assert learned(data) == {frozenset({"q0", "q1"}), frozenset({"q1", "q2"})}
    assert measured(data) == {"q3": {"q4"}, "q4": {"q3"}}
    assert len(data.questions) == 60
    assert data.source == "myset"


def test_marks_of_the_test_split_are_not_even_known_to_be_duplicates(tmp_path: Path) -> None:
    data = from_set(set_of(tmp_path / "s", train="0-1", dev="3-4", test="5-6"), TITLE_AND_BODY, seed=0)

    five, six = (next(n for n, q in enumerate(data.questions) if q.id == id_) for id_ in ("q5", "q6"))
    assert data.groups[five] != data.groups[six]


def test_without_a_dev_split_a_tenth_of_the_groups_measures(tmp_path: Path) -> None:
    pairs = " ".join(f"{n}-{n + 1}" for n in range(0, 40, 2))

    data = from_set(set_of(tmp_path / "s", train=pairs), TITLE_AND_BODY, seed=0)

    assert len(learned(data)) == 18
    assert len(measured(data)) == 4
    assert not set().union(*learned(data)) & measured(data).keys()


def test_marks_of_an_undivided_set_teach_nothing(tmp_path: Path) -> None:
    data = from_set(set_of(tmp_path / "s", all="0-1"), TITLE_AND_BODY, seed=0)

    assert len(data.questions) == 60
    assert len(data.pairs) == 0
    assert data.dev is None


def test_fields_that_are_not_used_are_not_seen(tmp_path: Path) -> None:
    data = from_set(set_of(tmp_path / "s", all="0-1"), TITLE_ONLY, seed=0)

    assert {question.body for question in data.questions} == {""}


def test_a_set_to_measure_with_only_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no train split to learn from"):
        from_set(set_of(tmp_path / "s", test="0-1"), TITLE_AND_BODY, seed=0)
