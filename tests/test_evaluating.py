"""Drives systems through benchmarks."""

import pytest

from askagain import Question
from askagain.errors import SettingsError
from askagain.evaluating import run_all
from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.systems import load_system, parse_recipe


@pytest.fixture
def benchmark() -> RetrievalBenchmark:
    questions = (
        Question("boot usb", id="1"),
        Question("boot from usb", id="2"),
        Question("slow wifi", id="3"),
    )
    relevant = {"1": frozenset({"2"}), "2": frozenset({"1"})}
    return RetrievalBenchmark("tiny", "all", ("title", "body"), questions, relevant)


def test_each_system_runs_once_in_the_given_order(benchmark: RetrievalBenchmark) -> None:
    runs = run_all([load_system("lmj"), load_system("bm25")], benchmark)

    assert [run.system for run in runs] == ["lmj", "bm25"]
    assert [[ranking.found[0].id for ranking in run.rankings()] for run in runs] == [["2", "1"]] * 2


def test_progress_names_the_system(benchmark: RetrievalBenchmark) -> None:
    seen = []

    run_all(
        [load_system("bm25")], benchmark, progress=lambda what, done, total: seen.append((what, done, total))
    )

    assert seen == [("indexing", 3, 3), ("bm25", 1, 2), ("bm25", 2, 2)]


def test_an_ordering_needs_lists(benchmark: RetrievalBenchmark) -> None:
    with pytest.raises(SettingsError, match="oracle orders given lists"):
        run_all(["oracle"], benchmark)


def test_a_wrong_recipe_is_found_before_the_first_one_runs(benchmark: RetrievalBenchmark) -> None:
    seen = []
    wrong = parse_recipe("[similarity]\nname = 'lmd'\nmu = -1.0", "wrong.toml")

    with pytest.raises(SettingsError, match="mu"):
        run_all([load_system("bm25"), wrong], benchmark, progress=lambda what, done, total: seen.append(what))
    assert "bm25" not in seen
