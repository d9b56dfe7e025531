"""Scores of lists by what was learned from other lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from askagain.rerank.fit.examples import Examples
from askagain.rerank.matrix import Matrix

Score: TypeAlias = Callable[[Matrix], Matrix]
"""From features [pairs, features] to scores [pairs]."""
Learn: TypeAlias = Callable[[Examples], Score]


def scores_left_out(learn: Learn, examples: Examples, folds: int, seed: int) -> Matrix:
    """Of each pair, by what was learned from the lists of other folds."""
    scores = np.zeros(len(examples.labels))
    for left_out in folds_of(examples, folds, seed):
        score = learn(examples.chosen(~left_out))
        scores[left_out] = score(examples.features[left_out])
    return scores


def folds_of(examples: Examples, folds: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """The pairs of some groups of lists: each group is left out once."""
    groups = examples.lists if examples.groups is None else examples.groups
    shuffled = np.random.default_rng(seed).permutation(np.unique(groups))
    for left_out in np.array_split(shuffled, min(folds, len(shuffled))):
        yield np.isin(groups, left_out)


def mean_average_precision(scores: Matrix, examples: Examples) -> float:
    """Over the lists that have a duplicate; equal scores keep their order."""
    precisions = average_precisions(scores, examples)
    return float(precisions.mean()) if len(precisions) else 0.0


def average_precisions(scores: Matrix, examples: Examples) -> Matrix:
    """Of each list that has a duplicate."""
    order = np.lexsort((-scores, examples.lists))
    lists, labels = examples.lists[order], examples.labels[order]
    _, starts, numbers = np.unique(lists, return_index=True, return_inverse=True)
    hits: NDArray[np.int64] = np.cumsum(labels)
    hits_before = (hits - labels)[starts[numbers]]
    precisions = (hits - hits_before) / (np.arange(len(lists)) - starts[numbers] + 1)
    sums = np.bincount(numbers[labels], precisions[labels])
    counts = np.bincount(numbers[labels])
    each: Matrix = sums[counts > 0] / counts[counts > 0]
    return each
