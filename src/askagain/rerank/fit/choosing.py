"""The better of several ways to learn, by cross-validation over queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Learn, mean_average_precision, scores_left_out
from askagain.rerank.matrix import Matrix


@dataclass(frozen=True)
class Choice:
    """The name of the best, and of every one what it reached and its scores of lists that were left out."""

    name: str
    reached: Mapping[str, float]
    scores: Mapping[str, Matrix]


def better_by_cross_validation(
    candidates: Mapping[str, Learn],
    examples: Examples,
    folds: int,
    seed: int,
    measure: Callable[[Matrix, Examples], float] = mean_average_precision,
) -> Choice:
    """Each learns from the same folds; of equals the first is chosen."""
    scores = {name: scores_left_out(learn, examples, folds, seed) for name, learn in candidates.items()}
    reached = {name: measure(given, examples) for name, given in scores.items()}
    return Choice(max(reached, key=reached.__getitem__), reached, scores)
