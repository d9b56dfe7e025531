"""Gradient-boosted trees over features: scikit-learn grows them, and plain arrays keep them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.weightfile import Arrays
from askagain.errors import MissingExtraError, TrainingError
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.preparing import check_learnable, equal_query_weights
from askagain.rerank.fit.settings import TreeSettings
from askagain.rerank.judges.base import Learned
from askagain.rerank.matrix import Matrix
from askagain.rerank.trees.trees import Trees

_SAME = 1e-9


def fit_trees(
    examples: Examples, settings: TreeSettings, seed: int, *, rising: Sequence[int] = ()
) -> Learned:
    """Trees as `Trees` reads them; NaN marks what is unknown.

    `rising` are the numbers of the features that may not lower the score if the settings say `monotone`.
    """
    check_learnable(examples)
    directions = np.zeros(examples.features.shape[1], dtype=np.int64)
    if settings.monotone:
        directions[list(rising)] = 1
    # Not ones where all count the same: with weights, scikit-learn takes several times as long.
    weights = equal_query_weights(examples) if settings.equal_queries else None
    known = _without_unknown_features(examples.features)
    model = _classifier(settings, directions, seed).fit(known, examples.labels, weights)
    arrays = _arrays([trees[0].nodes for trees in model._predictors], float(model._baseline_prediction[0, 0]))
    _check_same(arrays, model, examples.features)
    return Learned(arrays)


def can_grow_trees() -> bool:
    """Whether the extra `features` is there, which this needs."""
    return find_spec("sklearn") is not None


def _without_unknown_features(features: Matrix) -> Matrix:
    """A feature that no pair has tells as little as one that all have alike, which scikit-learn takes."""
    known: Matrix = np.where(np.isnan(features).all(axis=0), 0.0, features)
    return known


def _classifier(settings: TreeSettings, directions: NDArray[np.int64], seed: int) -> Any:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError as error:
        raise MissingExtraError(
            "boosted trees need scikit-learn: pip install 'askagain[features]'"
        ) from error
    return HistGradientBoostingClassifier(
        max_iter=settings.trees,
        learning_rate=settings.learning_rate,
        max_leaf_nodes=settings.leaves,
        min_samples_leaf=settings.least_in_leaf,
        l2_regularization=settings.l2,
        monotonic_cst=directions,
        categorical_features=None,
        early_stopping=False,
        random_state=seed,
    )


def _arrays(trees: Sequence[NDArray[Any]], baseline: float) -> Arrays:
    """Nodes as scikit-learn has them, a tree after the other; each table has the root first."""
    nodes, sizes = np.concatenate(trees), [len(tree) for tree in trees]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    first, own = np.repeat(offsets[:-1], sizes), np.arange(len(nodes))
    leaf = nodes["is_leaf"] == 1
    values = [_values(tree) for tree in trees]
    named: dict[str, NDArray[Any]] = {
        "features": np.where(leaf, 0, nodes["feature_idx"]).astype(np.int32),
        "borders": np.where(leaf, 0.0, nodes["num_threshold"]),
        "left": np.where(leaf, own, nodes["left"] + first).astype(np.int32),
        "right": np.where(leaf, own, nodes["right"] + first).astype(np.int32),
        "values": np.concatenate([inside - inside[0] for inside in values]),
        "unknown_left": nodes["missing_go_to_left"].astype(np.int8),
        "offsets": offsets.astype(np.int32),
        "baseline": np.array([fsum([baseline, *(inside[0] for inside in values)])]),
        "threshold": np.zeros(1),
    }
    return named


def _values(tree: NDArray[Any]) -> Matrix:
    """Those of the leaves, and of an inner node the mean over the examples below it."""
    values: Matrix = tree["value"].copy()
    for node in np.flatnonzero(tree["is_leaf"] == 0)[::-1]:
        children = [tree["left"][node], tree["right"][node]]
        values[node] = np.average(values[children], weights=tree["count"][children])
    return values


def _check_same(arrays: Arrays, model: Any, features: Matrix) -> None:
    """scikit-learn does not promise that its nodes will always look like this."""
    ours, theirs = Trees(arrays, features.shape[1]).score(features), model.decision_function(features)
    if not np.allclose(ours, theirs, rtol=_SAME, atol=_SAME):
        raise TrainingError(
            "the trees of the installed scikit-learn are not understood: install the version that"
            " askagain[features] asks for"
        )
