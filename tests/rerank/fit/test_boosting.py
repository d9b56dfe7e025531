"""Boosted trees: the arrays say what scikit-learn says."""

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from example_cases import made
from sklearn.ensemble import HistGradientBoostingClassifier

from askagain.encoders.weightfile import load_weights, save_weights
from askagain.errors import MissingExtraError, TrainingError
from askagain.rerank.fit.boosting import fit_trees
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import mean_average_precision
from askagain.rerank.fit.settings import TreeSettings
from askagain.rerank.trees.trees import Trees

SMALL = TreeSettings(trees=40, leaves=8, least_in_leaf=5)


def trees_of(examples: Examples, settings: TreeSettings = SMALL, **more: Any) -> Trees:
    return Trees(fit_trees(examples, settings, 0, **more).arrays, examples.features.shape[1])


def sklearn_s(examples: Examples, **weights: Any) -> HistGradientBoostingClassifier:
    model = HistGradientBoostingClassifier(
        max_iter=SMALL.trees, learning_rate=SMALL.learning_rate, max_leaf_nodes=SMALL.leaves,
        min_samples_leaf=SMALL.least_in_leaf, l2_regularization=SMALL.l2, early_stopping=False,
    )  # fmt: skip
    return model.fit(examples.features, examples.labels, **weights)


def with_borders(rows: int, examples: Examples) -> np.ndarray:
    """Rows of what a feature can be; about half of the numbers equal a border of some tree."""
    borders = fit_trees(examples, SMALL, 0).arrays["borders"]
    chance = np.random.default_rng(7)
    matrix = chance.normal(size=(rows, examples.features.shape[1]))
    choices = [borders, np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, 0.0, -0.0])]
    for values, share in zip(choices, (0.5, 0.2), strict=True):
        chosen = chance.random(matrix.shape) < share
        matrix[chosen] = chance.choice(values, chosen.sum())
    return matrix


@pytest.mark.parametrize("unknown", [0.0, 0.3])
def test_scores_are_those_of_scikit_learn(unknown: float) -> None:
    examples = made(unknown=unknown)
    trees, model = trees_of(examples), sklearn_s(examples)

    for matrix in (examples.features, with_borders(2000, examples)):
        np.testing.assert_allclose(trees.score(matrix), model.decision_function(matrix), atol=1e-9, rtol=0)


def test_so_they_are_where_many_values_equal_borders() -> None:
    """Few different values, all of which single precision cannot tell from their neighbours."""
    examples = made(unknown=0.1)
    near = 1 + 1e-12 * np.round(3 * examples.features)
    close = Examples(near, examples.labels, examples.lists)

    trees, model = trees_of(close), sklearn_s(close)

    np.testing.assert_allclose(trees.score(near), model.decision_function(near), atol=1e-9, rtol=0)
    assert np.ptp(trees.score(near)) > 1


def test_being_unknown_can_be_what_tells() -> None:
    examples = made()
    examples.features[:, 3] = np.where(examples.labels, np.nan, 1.0)
    trees = trees_of(examples)

    known, unknown = np.zeros((1, 5)), np.array([[0, 0, 0, np.nan, 0]])

    assert trees.score(unknown) - trees.score(known) > 2


def test_shares_and_baseline_are_the_score() -> None:
    examples = made(unknown=0.2)
    trees = trees_of(examples)

    sums = [trees.baseline + trees.shares(row).sum() for row in examples.features]

    np.testing.assert_allclose(sums, trees.score(examples.features), atol=1e-12)


def test_the_baseline_is_the_mean_score_of_the_examples() -> None:
    examples = made()
    trees = trees_of(examples)

    assert trees.baseline == pytest.approx(trees.score(examples.features).mean())


def test_the_feature_that_tells_has_the_largest_shares() -> None:
    examples = made()
    trees = trees_of(examples)

    sizes = np.mean([np.abs(trees.shares(row)) for row in examples.features], axis=0)

    assert sizes.argmax() == 0
    assert sizes[0] > 3 * sizes[3:].max()


def test_duplicates_come_first() -> None:
    other = made(seed=1)

    assert mean_average_precision(trees_of(made()).score(other.features), other) > 0.75


def test_rising_features_never_lower_the_score() -> None:
    examples = made()
    noisy = Examples(examples.features, examples.labels ^ (np.arange(400) % 4 == 0), examples.lists)
    rising = np.tile([[0.1, 0.2, 0.3, -0.4, 0.5]], (200, 1))
    rising[:, 0] = np.linspace(-3, 3, 200)

    free = trees_of(noisy).score(rising)
    held = trees_of(noisy, TreeSettings(trees=40, least_in_leaf=5, monotone=True), rising=[0]).score(rising)

    assert (np.diff(free) < 0).any()
    assert (np.diff(held) >= 0).all()
    assert held[-1] > held[0]


def test_features_may_fall_unless_the_settings_say_otherwise() -> None:
    examples = made()

    named = trees_of(examples, rising=[0]).score(examples.features)

    assert named.tolist() == trees_of(examples).score(examples.features).tolist()


def test_each_query_may_count_the_same() -> None:
    examples = made()
    uneven = Examples(examples.features, examples.labels, np.where(np.arange(400) < 300, 0, examples.lists))
    equal = trees_of(uneven, TreeSettings(trees=40, leaves=8, least_in_leaf=5, equal_queries=True))
    weights = np.where(np.arange(400) < 300, 400 / 11 / 300, 400 / 11 / 10)

    model = sklearn_s(uneven, sample_weight=weights)

    np.testing.assert_allclose(
        equal.score(examples.features), model.decision_function(examples.features), atol=1e-9
    )


def test_too_few_pairs_for_any_split_give_the_odds_alone() -> None:
    examples = made(lists=2)
    [score] = set(trees_of(examples, TreeSettings(trees=5)).score(examples.features))

    share = examples.labels.mean()

    assert score == pytest.approx(np.log(share / (1 - share)))


def test_pairs_of_one_kind_are_refused() -> None:
    examples = made(lists=4)
    with pytest.raises(TrainingError, match="mark more duplicates"):
        trees_of(Examples(examples.features, np.ones(40, dtype=bool), examples.lists))


def test_without_scikit_learn_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'askagain\[features\]'"):
        fit_trees(made(lists=4), SMALL, 0)


def test_the_same_seed_gives_the_same_arrays() -> None:
    first, second = (fit_trees(made(unknown=0.1), SMALL, 3).arrays for _ in range(2))

    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_the_arrays_survive_a_file(tmp_path: Path) -> None:
    examples = made(unknown=0.1)
    arrays = fit_trees(examples, SMALL, 0).arrays
    file = tmp_path / "weights.safetensors"
    save_weights(file, arrays)

    loaded = Trees(load_weights(file, sha256(file.read_bytes()).hexdigest()), 5)

    assert loaded.score(examples.features).tolist() == Trees(arrays, 5).score(examples.features).tolist()


def test_a_feature_that_no_pair_has_changes_nothing() -> None:
    examples = made()
    empty = np.full((len(examples.labels), 1), np.nan)
    wider = Examples(np.hstack([empty, examples.features]), examples.labels, examples.lists)

    np.testing.assert_allclose(
        trees_of(wider).score(wider.features), trees_of(examples).score(examples.features)
    )
