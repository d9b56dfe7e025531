"""Every metric on an example worked out by hand, then against pytrec_eval on random rankings."""

import numpy as np
import pytest
import pytrec_eval

from askagain.evaluation.metrics import (
    LEI_METRICS,
    RETRIEVAL_METRICS,
    SEMEVAL_METRICS,
    BoolArray,
    Judged,
    accuracy_at,
    average_precision,
    average_recall,
    label_accuracy,
    label_counts,
    label_f1,
    label_precision,
    label_recall,
    precision_at,
    recall_at,
    recall_counts,
    reciprocal_rank,
    semeval_average_precision,
)


def hits(word: str) -> BoolArray:
    """`-+` is a ranking whose second position is relevant."""
    return np.array([character == "+" for character in word], dtype=bool)


def judged(word: str, relevant: int | None = None, predicted: str = "") -> Judged:
    return Judged(hits(word), hits(word).sum() if relevant is None else relevant, hits(predicted))


def test_average_precision_is_the_mean_precision_at_relevant_positions() -> None:
    assert average_precision(hits("+-+-"), 2) == pytest.approx((1 / 1 + 2 / 3) / 2)


def test_average_precision_counts_relevant_questions_that_were_not_found() -> None:
    assert average_precision(hits("+-+-"), 4) == pytest.approx((1 / 1 + 2 / 3) / 4)


def test_average_precision_without_relevant_questions_is_zero() -> None:
    assert average_precision(hits("--"), 0) == 0.0


def test_reciprocal_rank_looks_at_the_first_relevant_position() -> None:
    assert reciprocal_rank(hits("--+-+")) == pytest.approx(1 / 3)


@pytest.mark.parametrize("word", ["", "---"])
def test_reciprocal_rank_without_a_hit_is_zero(word: str) -> None:
    assert reciprocal_rank(hits(word)) == 0.0


def test_precision_at_k_divides_by_k() -> None:
    assert precision_at(hits("++---+"), 5) == pytest.approx(2 / 5)


def test_precision_at_k_divides_by_the_candidates_that_are_there() -> None:
    assert precision_at(hits("++-"), 5) == pytest.approx(2 / 3)


def test_precision_of_an_empty_list_is_zero() -> None:
    assert precision_at(hits(""), 5) == 0.0


def test_accuracy_at_k_asks_for_one_hit_in_the_first_k() -> None:
    assert [accuracy_at(hits("--+++"), k) for k in (1, 2, 3, 5)] == [0, 0, 1, 1]


def test_recall_at_k_is_the_share_of_all_relevant_questions() -> None:
    assert [recall_at(hits("+-+"), 4, k) for k in (1, 2, 3)] == [0.25, 0.25, 0.5]


def test_recall_without_relevant_questions_is_zero() -> None:
    assert recall_at(hits("--"), 0, 2) == 0.0


def test_semeval_average_precision_knows_only_the_top_ten() -> None:
    ranking = "+---+-----" + "+++"
    assert semeval_average_precision(hits(ranking)) == pytest.approx((1 / 1 + 2 / 5) / 2)


def test_average_recall_pools_the_queries_before_it_divides() -> None:
    # Query 1 finds its only positive first, query 2 finds its two positives at 9 and 10.
    # found@k: 1 for k = 1..8, 2 for k = 9, 3 for k = 10; possible@k: 1 + 1 for k = 1, 1 + 2 from then on.
    sums = recall_counts(hits("+---------"), 1) + recall_counts(hits("--------++"), 2)
    expected = (1 / 2 + 7 * (1 / 3) + 2 / 3 + 3 / 3) / 10
    assert average_recall(sums) == pytest.approx(expected)


def test_average_recall_keeps_its_last_count_beyond_a_short_list() -> None:
    assert list(recall_counts(hits("-+"), 1)[:10]) == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]


def test_label_figures_of_a_confusion_table() -> None:
    # TP 2, FP 1, FN 3, TN 4
    sums = label_counts(hits("++-+++----"), hits("+++-------"))
    figures = [float(figure(sums)) for figure in (label_precision, label_recall, label_f1, label_accuracy)]
    assert figures == pytest.approx([2 / 3, 2 / 5, 2 * (2 / 3) * (2 / 5) / (2 / 3 + 2 / 5), 6 / 10])


def test_label_figures_are_zero_where_nothing_is_predicted_true() -> None:
    sums = label_counts(hits("+-"), hits("--"))
    assert [float(figure(sums)) for figure in (label_precision, label_recall, label_f1)] == [0, 0, 0]


def test_retrieval_metrics_of_two_queries() -> None:
    queries = [judged("--+-", relevant=2), judged("+---", relevant=1)]
    figures = {metric.name: metric.value(metric.rows(queries)) for metric in RETRIEVAL_METRICS}
    expected = {
        "acc@1": 0.5,
        "acc@5": 1.0,
        "acc@10": 1.0,
        "mrr@10": (1 / 3 + 1) / 2,
        "recall@100": (0.5 + 1) / 2,
    }
    assert figures == pytest.approx(expected)


def test_mrr_at_10_ignores_the_eleventh_position() -> None:
    metric = next(metric for metric in RETRIEVAL_METRICS if metric.name == "mrr@10")
    assert metric.value(metric.rows([judged("-" * 10 + "+")])) == 0.0


def test_lei_metrics_of_two_queries() -> None:
    queries = [judged("-+--+"), judged("+----")]
    figures = {metric.name: metric.value(metric.rows(queries)) for metric in LEI_METRICS}
    expected = {"map": ((1 / 2 + 2 / 5) / 2 + 1) / 2, "mrr": 0.75, "p@1": 0.5, "p@5": (2 / 5 + 1 / 5) / 2}
    assert figures == pytest.approx(expected)


def test_semeval_means_count_a_query_without_positives_as_zero() -> None:
    queries = [judged("+---------", predicted="+---------"), judged("----------", predicted="----------")]
    figures = {metric.name: metric.value(metric.rows(queries)) for metric in SEMEVAL_METRICS}
    expected = {"map": 0.5, "avgrec": 1.0, "mrr": 0.5, "p": 1.0, "r": 1.0, "f1": 1.0, "acc": 1.0}
    assert figures == pytest.approx(expected)


def test_per_query_figures_are_those_of_each_query_alone() -> None:
    metric = next(metric for metric in SEMEVAL_METRICS if metric.name == "f1")
    rows = metric.rows([judged("+-", predicted="++"), judged("+-", predicted="--")])
    assert list(metric.per_query(rows)) == pytest.approx([2 / 3, 0.0])


# trec_eval breaks ties by id, we by position: every score of a ranking is different, so there are none.
# P@k is compared on rankings of 20, because trec_eval divides by k even where fewer candidates are there.
@pytest.mark.parametrize("seed", range(20))
def test_agreement_with_pytrec_eval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.random((30, 20)) < rng.random()
    missed = rng.integers(0, 4, size=30)
    names = {"map", "recip_rank", "P_1,5", "recall_1,5,10,20", "success_1,5,10"}
    qrels = {
        f"q{q}": {f"d{d}": int(label) for d, label in enumerate(row)} | {f"m{m}": 1 for m in range(missed[q])}
        for q, row in enumerate(labels)
    }
    scores = {f"q{q}": {f"d{d}": float(-d) for d in range(20)} for q in range(30)}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(scores)
    for q, row in enumerate(labels):
        relevant = int(row.sum()) + int(missed[q])
        ours = {
            "map": average_precision(row, relevant),
            "recip_rank": reciprocal_rank(row),
            **{f"P_{k}": precision_at(row, k) for k in (1, 5)},
            **{f"recall_{k}": recall_at(row, relevant, k) for k in (1, 5, 10, 20)},
            **{f"success_{k}": accuracy_at(row, k) for k in (1, 5, 10)},
        }
        assert ours == pytest.approx(theirs[f"q{q}"], abs=1e-9)
