"""Running rankers on benchmarks: what counts as found, how ties and labels come out, the built-in orders."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from fixed_ranker import FixedRanker, MakeLists

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import RerankingBenchmark, RetrievalBenchmark, load
from askagain.evaluation.protocols import (
    Run,
    above_mean,
    run_given,
    run_oracle,
    run_random,
    run_reranking,
    run_retrieval,
)
from askagain.question import Question


def figures(run: Run) -> dict[str, float]:
    """The run's figures in percent, rounded as the literature prints them."""
    queries = [ranking.judged for ranking in run.rankings()]
    return {m.name: round(100 * m.value(m.rows(queries)), 2) for m in run.benchmark.metrics}


def lists_of(data_dir: Path, name: str, split: str) -> RerankingBenchmark:
    benchmark = load(data_dir / name, split)
    assert isinstance(benchmark, RerankingBenchmark)
    return benchmark


@pytest.mark.parametrize(
    ("split", "queries", "published"),
    [("dev", 189, [52.0, 66.0, 51.9, 42.1]), ("test", 186, [56.0, 68.0, 53.8, 42.5])],
)
def test_bm25_order_of_lei_gives_the_published_row(
    data_dir: Path, split: str, queries: int, published: list[float]
) -> None:
    run = run_given(lists_of(data_dir, "askubuntu-lei", split))
    assert len(run.rankings()) == queries
    assert [round(value, 1) for value in figures(run).values()] == published


@pytest.mark.parametrize(
    ("split", "published"), [("dev", [71.35, 86.11, 76.67]), ("test2016", [74.75, 88.30, 83.79])]
)
def test_search_engine_order_of_semeval_gives_the_published_row(
    data_dir: Path, split: str, published: list[float]
) -> None:
    run = run_given(lists_of(data_dir, "semeval", split))
    assert [figures(run)[metric] for metric in ("map", "avgrec", "mrr")] == published


def test_oracle_puts_every_relevant_candidate_first(make_lists: MakeLists) -> None:
    run = run_oracle(make_lists("--+-+", "-+---"))
    assert set(figures(run).values()) == {100.0}


def test_oracle_of_semeval_is_bounded_by_queries_without_positives(data_dir: Path) -> None:
    benchmark = lists_of(data_dir, "semeval", "dev")
    answerable = sum(any(entry.relevant for entry in list_.candidates) for list_ in benchmark.lists)
    assert figures(run_oracle(benchmark))["map"] == round(100 * answerable / len(benchmark.lists), 2)


def test_random_order_is_the_same_for_one_seed(make_lists: MakeLists) -> None:
    benchmark = make_lists("+---------", "-+--------")
    assert run_random(benchmark, seed=3).scores == run_random(benchmark, seed=3).scores


def test_random_order_differs_between_seeds(make_lists: MakeLists) -> None:
    benchmark = make_lists("+---------")
    assert run_random(benchmark, seed=3).scores != run_random(benchmark, seed=4).scores


def test_lists_are_sorted_by_score(make_lists: MakeLists) -> None:
    run = run_reranking(FixedRanker("fixed", {"Q1": [0.1, 0.9, 0.5]}), make_lists("-+-"))
    assert [match.id for match in run.rankings()[0].found] == ["Q1_R2", "Q1_R3", "Q1_R1"]


def test_ties_keep_the_order_of_the_file(make_lists: MakeLists) -> None:
    run = run_reranking(FixedRanker("fixed", {"Q1": [0, 1, 0, 1]}), make_lists("-+--"))
    assert [match.id for match in run.rankings()[0].found] == ["Q1_R2", "Q1_R4", "Q1_R1", "Q1_R3"]


def test_labels_of_a_ranker_without_threshold_are_above_the_mean(make_lists: MakeLists) -> None:
    run = run_reranking(FixedRanker("fixed", {"Q1": [0.0, 1.0, 0.4]}), make_lists("-+-"))
    assert run.labels == ((False, True, False),)


# Ten times 0.956… summed and divided by ten is, in floating point, a little less than 0.956….
@pytest.mark.parametrize("scores", [[0.9560490181694772] * 10, [0.0, 0.0], [1 / 3], []])
def test_no_label_is_true_where_nothing_stands_out(scores: list[float]) -> None:
    assert not any(above_mean(scores))


class ThresholdRanker(FixedRanker):
    """Says itself which candidates are duplicates: those with a score of at least 10."""

    def is_duplicate(
        self, question: Question, candidates: Sequence[Question], scores: Sequence[float]
    ) -> list[bool]:
        return [score >= 10 for score in scores]


def test_ranker_with_own_labels_decides_itself(make_lists: MakeLists) -> None:
    run = run_reranking(ThresholdRanker("own", {"Q1": [10, 11, 12]}), make_lists("-+-"))
    assert run.labels == ((True, True, True),)


def test_predicted_labels_follow_their_candidates_through_the_sort(make_lists: MakeLists) -> None:
    run = run_reranking(ThresholdRanker("own", {"Q1": [1, 20, 2]}), make_lists("-+-"))
    assert figures(run)["f1"] == 100.0


def test_lists_without_labels_can_be_run_but_not_judged(make_lists: MakeLists) -> None:
    run = run_given(make_lists("??"))
    with pytest.raises(BenchmarkError, match="tiny, split dev: no labels"):
        run.rankings()


def test_lists_without_labels_have_no_oracle(make_lists: MakeLists) -> None:
    with pytest.raises(BenchmarkError, match="no labels, so there is no oracle"):
        run_oracle(make_lists("??"))


def test_lists_without_texts_cannot_be_ranked(data_dir: Path) -> None:
    benchmark = lists_of(data_dir, "askubuntu-lei", "dev")
    with pytest.raises(BenchmarkError, match=r"no texts to rank by; put text_tokenized\.txt\.gz beside them"):
        run_reranking(FixedRanker("fixed", {}), benchmark)


def test_wrong_number_of_scores_is_an_error(make_lists: MakeLists) -> None:
    with pytest.raises(
        BenchmarkError, match="system short, query Q1: 1 scores and 1 labels for 2 candidates"
    ):
        run_reranking(FixedRanker("short", {"Q1": [1.0]}), make_lists("+-"))


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_score_that_cannot_be_ordered_is_an_error(make_lists: MakeLists, score: float) -> None:
    with pytest.raises(BenchmarkError, match=r"system odd, query Q1: score .* is not a finite number"):
        run_reranking(FixedRanker("odd", {"Q1": [1.0, score]}), make_lists("+-"))


LETTERS = {"a": "bfc", "b": "fda", "c": "def", "d": "fe", "e": "d"}


def test_retrieval_figures_worked_out_by_hand(retrieval: RetrievalBenchmark) -> None:
    # First hits: a at 1, b at 3, c nowhere, d at 2, e at 1; found of all: 2/2, 1/2, 0/2, 1/1, 1/1.
    run = run_retrieval(FixedRanker("fixed", LETTERS), retrieval)
    mrr = (1 + 1 / 3 + 0 + 1 / 2 + 1) / 5
    assert figures(run) == {
        "acc@1": 40.0,
        "acc@5": 80.0,
        "acc@10": 80.0,
        "mrr@10": round(100 * mrr, 2),
        "recall@100": 70.0,
    }


def test_query_itself_is_never_a_match(retrieval: RetrievalBenchmark) -> None:
    run = run_retrieval(FixedRanker("echo", {**LETTERS, "a": "ab"}), retrieval)
    assert [match.id for match in run.matches[0]] == ["b"]


def test_question_found_twice_counts_once(retrieval: RetrievalBenchmark) -> None:
    run = run_retrieval(FixedRanker("twice", {**LETTERS, "a": "bbc"}), retrieval)
    assert [match.id for match in run.matches[0]] == ["b", "c"]


def test_matches_beyond_the_depth_do_not_count(retrieval: RetrievalBenchmark) -> None:
    run = run_retrieval(FixedRanker("long", LETTERS), retrieval, depth=2)
    assert [match.id for match in run.matches[0]] == ["b", "f"]


def test_match_that_is_not_in_the_set_is_an_error(retrieval: RetrievalBenchmark) -> None:
    with pytest.raises(BenchmarkError, match="query a: found 'z', which is not in the set letters"):
        run_retrieval(FixedRanker("foreign", {**LETTERS, "a": "z"}), retrieval)


def test_progress_counts_the_queries(retrieval: RetrievalBenchmark) -> None:
    seen: list[tuple[int, int]] = []
    run_retrieval(FixedRanker("f", LETTERS), retrieval, progress=lambda *step: seen.append(step))
    assert seen == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
