"""Nearest neighbours by the definition, one pair of questions after the other."""

import numpy as np

from askagain.encoders.vectors import QuestionVectors


def score(query: QuestionVectors, row: QuestionVectors) -> float:
    """The sum of both products, in double precision, in the order of dimensions and of columns."""
    dense = sparse = 0.0
    for mine, theirs in zip(query.dense[0].tolist(), row.dense[0].tolist(), strict=True):
        dense += mine * theirs
    asked = dict(zip(query.columns.tolist(), query.values.tolist(), strict=True))
    for column, value in zip(row.columns.tolist(), row.values.tolist(), strict=True):
        sparse += asked.get(column, 0.0) * value
    return dense + sparse


def nearest(
    query: QuestionVectors, rows: QuestionVectors, numbers: list[int], k: int
) -> list[tuple[int, float]]:
    """The k best (number, score), the best first, the lower number first where scores are equal."""
    scores = [(number, score(query, rows.row(place))) for place, number in enumerate(numbers)]
    return sorted(scores, key=lambda pair: (-pair[1], pair[0]))[:k]


def random_vectors(seed: int, count: int, dimension: int, columns: int) -> QuestionVectors:
    """Vectors of whole numbers, of which many are equal, times a number that makes products inexact."""
    chance = np.random.default_rng(seed)
    dense = chance.integers(-2, 3, (count, dimension)) * 0.1
    present = chance.random((count, columns)) < 0.3
    values = chance.integers(1, 4, (count, columns)) * 0.3
    return QuestionVectors(
        dense.astype(np.float32),
        np.nonzero(present)[1].astype(np.int32),
        values[present].astype(np.float32),
        np.concatenate([[0], np.cumsum(present.sum(axis=1))]).astype(np.int64),
    )
