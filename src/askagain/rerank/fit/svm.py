"""Linear SVMs: on candidates (U16, SS1), or on the differences of candidates of the same query (J16)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askagain.errors import MissingExtraError, TrainingError
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Score, mean_average_precision, scores_left_out
from askagain.rerank.judges.base import Learned
from askagain.rerank.matrix import Matrix
from askagain.rerank.recipe import FeatureSettings

_ITERATIONS = 20_000


def fit_svm(examples: Examples, settings: FeatureSettings, seed: int) -> Learned:
    """The weights of the best cost; the threshold is where labels of lists that were left out divide best."""
    mean, scale = examples.features.mean(axis=0), examples.features.std(axis=0)
    scale[scale == 0] = 1.0
    scaled = Examples((examples.features - mean) / scale, examples.labels, examples.lists)
    cost, left_out = _best_cost(scaled, settings, seed)
    weights, bias = _fitted(scaled, settings, cost, seed)
    threshold = _best_threshold(left_out, examples.labels) if settings.method == "ranking-svm" else 0.0
    named = {"mean": mean, "scale": scale, "weights": weights, "bias": [bias], "threshold": [threshold]}
    return Learned({name: np.asarray(values, dtype=np.float32) for name, values in named.items()})


def _best_cost(examples: Examples, settings: FeatureSettings, seed: int) -> tuple[float, Matrix]:
    """The cost with the best mean average precision over lists that were left out, and their scores."""

    def learned_with(cost: float, some: Examples) -> Score:
        weights, bias = _fitted(some, settings, cost, seed)
        return lambda features: features @ weights + bias

    scores = {
        cost: scores_left_out(partial(learned_with, cost), examples, settings.folds, seed)
        for cost in settings.costs
    }
    best = max(settings.costs, key=lambda cost: mean_average_precision(scores[cost], examples))
    return best, scores[best]


def _fitted(examples: Examples, settings: FeatureSettings, cost: float, seed: int) -> tuple[Matrix, float]:
    features, labels = examples.features, examples.labels
    if settings.method == "ranking-svm":
        features, labels = _differences(examples)
    if len(np.unique(labels)) < 2:
        raise TrainingError("too few lists have both duplicates and others: mark more duplicates first")
    svm = _linear_svm(cost, intercept=settings.method == "svm", seed=seed).fit(features, labels)
    return svm.coef_[0], float(np.ravel(svm.intercept_)[0])


def _differences(examples: Examples) -> tuple[Matrix, NDArray[np.bool_]]:
    """Of each duplicate with each other candidate of its list, in both directions (Joachims 2002)."""
    found = []
    for list_ in np.unique(examples.lists):
        some = examples.of([int(list_)])
        duplicates, others = some.features[some.labels], some.features[~some.labels]
        found.append((duplicates[:, None] - others[None]).reshape(-1, some.features.shape[1]))
    differences = np.concatenate(found)
    labels = np.repeat([True, False], len(differences))
    return np.concatenate([differences, -differences]), labels


def _linear_svm(cost: float, *, intercept: bool, seed: int) -> Any:
    try:
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise MissingExtraError("SVMs need scikit-learn: pip install 'askagain[features]'") from error
    return LinearSVC(C=cost, fit_intercept=intercept, max_iter=_ITERATIONS, random_state=seed)


def _best_threshold(scores: Matrix, labels: NDArray[np.bool_]) -> float:
    """The score above which F1 is best."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    f1 = 2 * hits / (np.arange(1, len(labels) + 1) + labels.sum())
    last = int(np.argmax(f1))
    below = scores[order[last + 1]] if last + 1 < len(order) else scores[order[last]] - 1.0
    return float(scores[order[last]] + below) / 2
