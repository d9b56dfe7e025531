"""Dev figures during training are those that an evaluation of the same model gives."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askagain import Question
from askagain.encoders.folder import load_model
from askagain.encoders.recipe import EncoderSystem
from askagain.evaluating import Run, reranking_of, run_all
from askagain.evaluation.benchmarks import TITLE_AND_BODY, Benchmark, RetrievalBenchmark
from askagain.evaluation.metrics import Metric
from askagain.systems import load_system
from askagain.training import dev as dev_module
from askagain.training.data import DevSet, TrainingData, assembled
from askagain.training.dev import DevMeasure, measure_of, with_lists
from askagain.training.learner import Learner
from askagain.training.lexical import bm25_candidates
from askagain.training.train import train


def benchmark_of(data: TrainingData) -> RetrievalBenchmark:
    assert data.dev is not None
    relevant = {
        data.questions[query].id: frozenset(data.questions[row].id for row in found)
        for query, found in zip(data.dev.queries.tolist(), data.dev.relevant, strict=True)
    }
    return RetrievalBenchmark("forum", "dev", TITLE_AND_BODY, data.questions, relevant)


def evaluated(system: EncoderSystem, folder: Path, benchmark: Benchmark, name: str) -> float:
    """A figure of askagain's own evaluation, in percent."""
    (run,) = run_all([system], benchmark, models={system.name: folder})
    return figure(run, benchmark, name)


def figure(run: Run, benchmark: Benchmark, name: str) -> float:
    metric: Metric = next(metric for metric in benchmark.metrics if metric.name == name)
    return 100 * metric.value(metric.rows([ranking.judged for ranking in run.rankings()]))


@pytest.mark.parametrize("kind", ["bow", "cnn", "rcnn"])
def test_searching_gives_the_mrr_of_a_retrieval(
    kind: str, tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system(kind, training__epochs=0)
    folder = train(system, forum_data, tmp_path / "model")
    learner = Learner.start(system, forum_data.questions, 0)
    measure = measure_of(system, forum_data, 0)
    assert measure is not None

    ours = measure.mrr(load_model(folder), learner.texts)

    assert ours > 0
    assert ours == pytest.approx(evaluated(system, folder, benchmark_of(forum_data), "mrr@10"))


def test_ordering_gives_the_mrr_of_a_reranking(
    tmp_path: Path, forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system("rcnn", training__epochs=0).with_parameters({"search.candidates": "bm25"})
    folder = train(system, forum_data, tmp_path / "model")
    learner = Learner.start(system, forum_data.questions, 0)
    measure = measure_of(system, forum_data, 0)
    assert measure is not None

    ours = measure.mrr(load_model(folder), learner.texts)

    lists = reranking_of(benchmark_of(forum_data), dev_module.LIST_LENGTH)
    assert ours == pytest.approx(evaluated(system, folder, lists, "mrr"))


@pytest.mark.parametrize(("candidates", "name"), [("vectors", "mrr@10"), ("bm25", "mrr")])
def test_bm25_for_comparison_gets_what_an_evaluation_gives_it(
    candidates: str, name: str, forum_system: Any, forum_data: TrainingData
) -> None:
    system = forum_system("bow").with_parameters({"search.candidates": candidates})
    measure = measure_of(system, forum_data, 0)
    assert measure is not None
    benchmark: Benchmark = benchmark_of(forum_data)
    if candidates == "bm25":
        benchmark = reranking_of(benchmark, dev_module.LIST_LENGTH)

    (run,) = run_all(["given" if candidates == "bm25" else load_system("bm25")], benchmark)

    assert measure.bm25(forum_data.questions) == pytest.approx(figure(run, benchmark, name))


def test_a_query_without_words_finds_nothing(forum_system: Any, forum_data: TrainingData) -> None:
    questions = [*forum_data.questions, Question("?!", id="mute"), Question("...", id="dumb")]
    data = assembled(questions, [], [("mute", "dumb"), ("mute", "travel-1")])
    assert data.dev is not None
    learner = Learner.start(forum_system("rcnn"), questions, 0)

    for dev in (data.dev, with_lists(data.dev, questions)):
        assert DevMeasure(dev, len(questions), 0).mrr(learner.encoder(), learner.texts) == 0.0


def test_in_a_large_archive_some_of_the_questions_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev_module, "MOST_OTHERS", 10)
    dev = DevSet(np.array([900, 901]), (frozenset({902}), frozenset({903, 904})))

    pools = [DevMeasure(dev, 1000, seed).pool for seed in (0, 0, 1)]

    assert {900, 901, 902, 903, 904} <= set(pools[0].tolist())
    assert 10 <= len(pools[0]) <= 15
    assert np.array_equal(pools[0], pools[1])
    assert not np.array_equal(pools[0], pools[2])


def test_lists_without_a_duplicate_do_not_count(forum_system: Any, forum_data: TrainingData) -> None:
    learner = Learner.start(forum_system("bow"), forum_data.questions, 0)
    found = DevSet(np.array([0]), (frozenset({5}),), np.array([[5, 7, -1]]))
    missed = DevSet(np.array([0]), (frozenset({5}),), np.array([[7, 8, -1]]))
    both = DevSet(np.array([0, 1]), (frozenset({5}), frozenset({5})), np.array([[5, -1, -1], [7, 8, 9]]))

    def mrr(dev: DevSet) -> float:
        return DevMeasure(dev, len(forum_data.questions), 0).mrr(learner.encoder(), learner.texts)

    assert mrr(found) > 0
    assert mrr(missed) == 0.0
    assert mrr(both) == 100.0


def test_lists_are_the_best_lexical_candidates_without_the_query(forum_data: TrainingData) -> None:
    assert forum_data.dev is not None

    lists = with_lists(forum_data.dev, forum_data.questions).lists

    assert lists is not None
    assert lists.shape == (len(forum_data.dev.queries), dev_module.LIST_LENGTH)
    assert not (lists == forum_data.dev.queries[:, None]).any()


def test_candidates_share_words_and_are_as_many_as_there_are() -> None:
    questions = [Question("red green"), Question("green blue"), Question("", "red red"), Question("yellow")]

    found = bm25_candidates(questions, np.array([0, 3]), 3)

    assert sorted(found[0].tolist()) == [-1, 1, 2]
    assert found[0][2] == found[1][0] == -1
