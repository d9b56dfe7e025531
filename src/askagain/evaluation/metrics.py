"""The metrics of both settings, each a function of sums over the queries.

A metric turns every query into a row of counts and the sum of all rows into one figure. Means (MAP, MRR, …)
and pooled figures (AvgRec, F1, …) have the same shape that way, and resampling or swapping queries,
as the tests of significance do, is a weighted sum of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

SEMEVAL_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """One query's ranking as the metrics see it: for each position whether it is relevant.

    `relevant` is the number of relevant questions that exist, found or not; `predicted` holds the
    true/false label that the system gave at each position, and is empty where a system gives none.
    """

    hits: BoolArray
    relevant: int
    predicted: BoolArray


def average_precision(hits: BoolArray, relevant: int) -> float:
    """The sum of precision@i over the relevant positions i, divided by `relevant`; 0 if that is 0."""
    if relevant == 0:
        return 0.0
    positions = np.flatnonzero(hits) + 1
    return float(np.sum(np.arange(1, len(positions) + 1) / positions) / relevant)


def reciprocal_rank(hits: BoolArray) -> float:
    """1 / the position of the first relevant question; 0 if there is none."""
    return float(1 / (np.argmax(hits) + 1)) if hits.any() else 0.0


def precision_at(hits: BoolArray, k: int) -> float:
    """The share of relevant questions among those present in the first k; a short list has fewer than k."""
    return float(hits[:k].mean()) if len(hits) else 0.0


def accuracy_at(hits: BoolArray, k: int) -> float:
    """1 if at least one relevant question stands in the first k, else 0."""
    return float(hits[:k].any())


def recall_at(hits: BoolArray, relevant: int, k: int) -> float:
    """The share of all relevant questions that stands in the first k; 0 if none exists."""
    return float(hits[:k].sum() / relevant) if relevant else 0.0


def semeval_average_precision(hits: BoolArray) -> float:
    """Average precision of the top 10, over the relevant questions in the top 10."""
    top = hits[:SEMEVAL_DEPTH]
    return average_precision(top, int(top.sum()))


def recall_counts(hits: BoolArray, relevant: int) -> FloatArray:
    """The relevant questions in the first k, for k = 1..10, then the most there could be: min(k, R)."""
    found = np.zeros(SEMEVAL_DEPTH)
    found[: len(hits)] = hits[:SEMEVAL_DEPTH]
    possible = np.minimum(np.arange(1, SEMEVAL_DEPTH + 1), relevant)
    return np.concatenate([np.cumsum(found), possible])


def average_recall(sums: FloatArray) -> FloatArray:
    """AvgRec: the mean over k = 1..10 of found@k / possible@k, each summed over the queries first."""
    found, possible = sums[..., :SEMEVAL_DEPTH], sums[..., SEMEVAL_DEPTH:]
    return np.asarray(ratio(found, possible).mean(axis=-1))


def label_counts(hits: BoolArray, predicted: BoolArray) -> FloatArray:
    """True positives, false positives, false negatives and true negatives of the predicted labels."""
    return np.array(
        [
            np.sum(predicted & hits),
            np.sum(predicted & ~hits),
            np.sum(~predicted & hits),
            np.sum(~predicted & ~hits),
        ],
        dtype=np.float64,
    )


def label_precision(sums: FloatArray) -> FloatArray:
    """P of the class `true`: TP / (TP + FP)."""
    tp, fp, _, _ = np.moveaxis(sums, -1, 0)
    return ratio(tp, tp + fp)


def label_recall(sums: FloatArray) -> FloatArray:
    """R of the class `true`: TP / (TP + FN)."""
    tp, _, fn, _ = np.moveaxis(sums, -1, 0)
    return ratio(tp, tp + fn)


def label_f1(sums: FloatArray) -> FloatArray:
    """F1 of the class `true`, the harmonic mean of P and R: 2 TP / (2 TP + FP + FN)."""
    tp, fp, fn, _ = np.moveaxis(sums, -1, 0)
    return ratio(2 * tp, 2 * tp + fp + fn)


def label_accuracy(sums: FloatArray) -> FloatArray:
    """The share of the labels that are right: (TP + TN) / all."""
    tp, fp, fn, tn = np.moveaxis(sums, -1, 0)
    return ratio(tp + tn, tp + fp + fn + tn)


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """part / whole, and 0 where whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part, dtype=np.float64), where=whole != 0)


@dataclass(frozen=True, slots=True)
class Metric:
    """A named figure between 0 and 1: `counts` makes a query's row, `combine` the figure from summed rows.

    `combine` takes an array whose last axis is a row, so many sums are combined in one call.
    """

    name: str
    counts: Callable[[Judged], FloatArray]
    combine: Callable[[FloatArray], FloatArray]

    def rows(self, queries: Sequence[Judged]) -> FloatArray:
        """One row of counts per query."""
        return np.stack([self.counts(query) for query in queries])

    def value(self, rows: FloatArray) -> float:
        """The figure of all queries together."""
        return float(self.combine(rows.sum(axis=0)))

    def per_query(self, rows: FloatArray) -> FloatArray:
        """The figure of each query alone."""
        return self.combine(rows)


Rows = Mapping[str, FloatArray]


def all_rows(metrics: Sequence[Metric], queries: Sequence[Judged]) -> Rows:
    """The rows of every metric, by its name."""
    return {metric.name: metric.rows(queries) for metric in metrics}


def _mean(name: str, value: Callable[[Judged], float]) -> Metric:
    """A metric that is the plain mean of a value per query; its row is (value, 1)."""
    return Metric(
        name,
        counts=lambda query: np.array([value(query), 1.0]),
        combine=lambda sums: ratio(sums[..., 0], sums[..., 1]),
    )


def _labels(name: str, combine: Callable[[FloatArray], FloatArray]) -> Metric:
    """A micro-averaged figure of the true/false labels."""
    return Metric(name, counts=lambda query: label_counts(query.hits, query.predicted), combine=combine)


# dos Santos et al., ACL 2015.
RETRIEVAL_METRICS = (
    _mean("acc@1", lambda query: accuracy_at(query.hits, 1)),
    _mean("acc@5", lambda query: accuracy_at(query.hits, 5)),
    _mean("acc@10", lambda query: accuracy_at(query.hits, 10)),
    _mean("mrr@10", lambda query: reciprocal_rank(query.hits[:10])),
    _mean("recall@100", lambda query: recall_at(query.hits, query.relevant, 100)),
)

# The scorer of SemEval-2016/2017 Task 3, subtask B.
SEMEVAL_METRICS = (
    _mean("map", lambda query: semeval_average_precision(query.hits)),
    Metric("avgrec", lambda query: recall_counts(query.hits, query.relevant), average_recall),
    _mean("mrr", lambda query: reciprocal_rank(query.hits[:SEMEVAL_DEPTH])),
    _labels("p", label_precision),
    _labels("r", label_recall),
    _labels("f1", label_f1),
    _labels("acc", label_accuracy),
)

# Lei et al., NAACL 2016.
LEI_METRICS = (
    _mean("map", lambda query: average_precision(query.hits, query.relevant)),
    _mean("mrr", lambda query: reciprocal_rank(query.hits)),
    _mean("p@1", lambda query: precision_at(query.hits, 1)),
    _mean("p@5", lambda query: precision_at(query.hits, 5)),
)
