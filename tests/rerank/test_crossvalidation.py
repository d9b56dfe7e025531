"""Cross-validation: no list is judged by a model that has seen it."""

from dataclasses import replace

import pytest

from askagain.errors import SettingsError
from askagain.evaluation.benchmarks import RerankingBenchmark
from askagain.evaluation.protocols import RerankingRun
from askagain.question import Verdict
from askagain.rerank.crossvalidation import cross_validated
from askagain.rerank.data import from_marks
from askagain.rerank.recipe import PairSystem
from askagain.sample import forum
from askagain.sources.lists import CandidateList
from askagain.systems import load_system
from askagain.training.data import assembled


@pytest.fixture(scope="module")
def benchmark() -> RerankingBenchmark:
    """Of some of the sample forum's duplicates."""
    pairs = [(mark.first, mark.second) for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    data = from_marks(assembled(forum.questions(), pairs[:6], []))
    return RerankingBenchmark("sample", "train", ("title", "body"), "semeval", data.lists)


def judged(benchmark: RerankingBenchmark, folds: int) -> RerankingRun:
    system = load_system("unimelb-ss2").with_parameters({"judge.says": "scores"})
    assert isinstance(system, PairSystem)
    return cross_validated(
        system, benchmark, folds, seed=0, on_epoch=lambda epoch: None, progress=lambda *done: None
    )


def with_opposite_labels(list_: CandidateList) -> CandidateList:
    opposite = [replace(entry, relevant=not entry.relevant) for entry in list_.candidates]
    return replace(list_, candidates=tuple(opposite))


def test_every_list_is_judged_once_in_the_file_s_order(benchmark: RerankingBenchmark) -> None:
    run = judged(benchmark, folds=4)

    assert [len(scores) for scores in run.scores] == [len(list_.candidates) for list_ in benchmark.lists]
    assert [ranking.query for ranking in run.rankings()] == [list_.query for list_ in benchmark.lists]


def test_the_labels_of_a_list_have_a_say_in_the_others_scores_only(benchmark: RerankingBenchmark) -> None:
    """As many folds as lists: each is alone in its fold."""
    folds = len(benchmark.lists)
    first, *others = benchmark.lists
    before = judged(benchmark, folds).scores
    after = judged(replace(benchmark, lists=(with_opposite_labels(first), *others)), folds).scores

    assert after[0] == before[0]
    assert all(now != then for now, then in zip(after[1:], before[1:], strict=True))


def test_more_folds_than_lists_are_refused(benchmark: RerankingBenchmark) -> None:
    with pytest.raises(SettingsError, match="3 lists cannot be divided into 4 folds"):
        judged(replace(benchmark, lists=benchmark.lists[:3]), folds=4)
