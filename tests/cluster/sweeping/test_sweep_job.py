"""Sweeps on a real cluster."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from clusters import DyingNode

from askagain.cluster.connecting import connected
from askagain.cluster.sweeping import job
from askagain.cluster.sweeping.grid import parse_grid
from askagain.cluster.sweeping.lessons import Lessons, lessons_for
from askagain.cluster.sweeping.ranking import ranked
from askagain.cluster.sweeping.trials import Trial, base_system, measured, trials_of
from askagain.errors import BenchmarkError
from askagain.question import Verdict
from askagain.sample import forum
from askagain.sources.jsonl import dump_record
from askagain.systems import load_system
from askagain.training.data import Pair, divided

BM25 = 'system = "bm25"\n[[settings]]\nk1 = [0.0, 1.2]\nb = [0.0, 0.75]\n'
ENCODER = """
system = "bow-cnn-small"
[[settings]]
"training.epochs" = [1]
"parts.words.dimension" = [8]
"""
BROKEN = '\n[[settings]]\n"parts.words.files" = ["nowhere.vec"]\n'

sweep = partial(job.sweep, connect=partial(connected, None))


def write_pairs(path: Path, pairs: list[Pair]) -> None:
    path.write_text("".join(f"{first}\t{second}\n" for first, second in pairs))


@pytest.fixture
def sample_set(tmp_path: Path) -> Path:
    """The sample forum as a set whose test split cannot be read."""
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "questions.jsonl").write_text("".join(dump_record(each) + "\n" for each in forum.questions()))
    marks = [(mark.first, mark.second) for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    train, dev = divided(marks, seed=0, share=0.4)
    write_pairs(folder / "duplicates.train.tsv", train)
    write_pairs(folder / "duplicates.dev.tsv", dev)
    (folder / "duplicates.test.tsv").write_text("nobody\tmay look here\n")
    return folder


def prepared(text: str, folder: Path, seeds: int = 1) -> tuple[list[Trial], Lessons]:
    grid = parse_grid(text, "grid")
    return list(trials_of(grid, {}, seeds)), lessons_for(base_system(grid), folder, ("title", "body"))


def results(folder: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(file.read_text()) for file in sorted(folder.iterdir()))


@pytest.mark.usefixtures("ray_cluster")
def test_every_trial_leaves_its_result_and_the_best_settings_come_first(
    sample_set: Path, tmp_path: Path
) -> None:
    trials, lessons = prepared(BM25, sample_set)

    report = sweep(trials, lessons, tmp_path / "out")

    found = {
        json.dumps(result["settings"]): result["metrics"]["mrr@10"] for result in results(tmp_path / "out")
    }
    assert len(found) == 4
    assert (
        report.tried[0].means["mrr@10"] == max(found.values()) == found[json.dumps(report.tried[0].settings)]
    )
    assert {(result["split"], result["seed"]) for result in results(tmp_path / "out")} == {("dev", 0)}


@pytest.mark.usefixtures("ray_cluster")
def test_what_is_there_is_not_done_again(sample_set: Path, tmp_path: Path) -> None:
    trials, lessons = prepared(BM25, sample_set)
    first = sweep(trials, lessons, tmp_path / "out")
    next((tmp_path / "out").iterdir()).write_text("{")

    second = sweep(trials, lessons, tmp_path / "out")

    assert (first.made, second.made) == (4, 1)
    assert [each.settings for each in second.tried] == [each.settings for each in first.tried]


@pytest.mark.usefixtures("ray_cluster")
def test_an_encoder_learns_with_each_seed_as_it_would_alone(sample_set: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    trials, lessons = prepared(ENCODER + BROKEN, sample_set, seeds=2)

    report = sweep(trials, lessons, tmp_path / "out")

    assert [each.seeds for each in report.tried] == [(0, 1)]
    assert len(report.failures) == 2
    assert "cannot read the word vectors in nowhere.vec" in report.failures[0]
    alone = measured(lessons, trials[0])["metrics"]
    [same] = [
        result["metrics"]
        for result in results(tmp_path / "out")
        if (result["settings"], result["seed"]) == (trials[0].settings, 0)
    ]
    assert same == pytest.approx(alone)


def test_a_node_that_dies_costs_no_trial(ray_cluster: Any, sample_set: Path, tmp_path: Path) -> None:
    trials, lessons = prepared(BM25.replace("[0.0, 1.2]", "[0.0, 0.4, 0.8, 1.2, 1.6]"), sample_set)
    alone = sweep(trials, lessons, tmp_path / "alone")
    node = DyingNode(ray_cluster)

    report = sweep(trials, lessons, tmp_path / "out", progress=node.at_first_progress)

    assert node.died
    assert (report.made, report.failures) == (len(trials), [])
    assert report.tried == alone.tried


def test_a_tenth_of_the_train_groups_serves_where_there_is_no_dev_split(sample_set: Path) -> None:
    (sample_set / "duplicates.dev.tsv").unlink()

    lessons = lessons_for(load_system("bow-cnn-small"), sample_set, ("title",))

    assert lessons.encoder is not None
    assert lessons.dev.split == "dev"
    learned = {lessons.encoder.questions[row].id for row in lessons.encoder.pairs.ravel().tolist()}
    assert learned.isdisjoint(query.id for query in lessons.dev.queries)


def test_a_set_without_train_and_dev_marks_is_refused(sample_set: Path) -> None:
    for split in ("train", "dev"):
        (sample_set / f"duplicates.{split}.tsv").unlink()

    with pytest.raises(BenchmarkError, match="neither a dev split"):
        lessons_for(load_system("bm25"), sample_set, ("title",))


def test_a_judge_of_pairs_learns_from_the_train_marks(sample_set: Path) -> None:
    pytest.importorskip("sklearn")
    grid = 'system = "svm"\n[[settings]]\n"judge.costs" = ["0.1"]\n"judge.features" = ["bm25+rank"]\n'
    [trial], lessons = prepared(grid, sample_set)

    assert measured(lessons, trial)["metrics"]["mrr@10"] > 10  # at random it would be 1


def result(settings: dict[str, Any], seed: int, value: float) -> dict[str, Any]:
    return {"settings": settings, "seed": seed, "metrics": {"map": value}}


def test_settings_are_ordered_by_their_mean_over_the_seeds() -> None:
    good, even = {"rate": 0.1}, {"rate": 0.2}

    first, second = ranked(
        [result(even, 0, 50.0), result(even, 1, 50.0), result(good, 1, 40.0), result(good, 0, 70.0)]
    )

    assert (first.settings, first.seeds, first.means["map"]) == (good, (0, 1), 55.0)
    assert first.spreads["map"] == pytest.approx(21.2132, abs=1e-3)
    assert (second.settings, second.spreads["map"]) == (even, 0.0)
