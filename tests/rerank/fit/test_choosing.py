"""Linear or trees: what cross-validation prefers."""

from functools import partial

import numpy as np
import pytest
from example_cases import made

from askagain.rerank.fit.boosting import fit_trees
from askagain.rerank.fit.choosing import Standing, better_by_cross_validation
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Score, mean_average_precision
from askagain.rerank.fit.logistic import fit_logistic
from askagain.rerank.fit.settings import LogisticSettings, TreeSettings
from askagain.rerank.linear import linear_scores
from askagain.rerank.trees.trees import Trees


def linear(examples: Examples) -> Score:
    return partial(linear_scores, fit_logistic(examples, LogisticSettings()).arrays)


def trees(examples: Examples) -> Score:
    learned = fit_trees(examples, TreeSettings(trees=60, leaves=8), seed=0)
    return Trees(learned.arrays, examples.features.shape[1]).score


BOTH = {"linear": linear, "trees": trees}


def with_sums(examples: Examples) -> Examples:
    """A sum of all features is what tells."""
    chance = np.random.default_rng(5)
    sums = examples.features.sum(axis=1) + chance.normal(size=len(examples.labels))
    return Examples(examples.features, sums > 2, examples.lists)


def test_trees_are_chosen_where_features_matter_together() -> None:
    assert better_by_cross_validation(BOTH, made(lists=100), folds=3, seed=0).name == "trees"


def test_linear_is_chosen_where_they_add_up() -> None:
    assert better_by_cross_validation(BOTH, with_sums(made()), folds=3, seed=0).name == "linear"


def test_every_candidate_has_its_scores_and_what_it_reached_with_them() -> None:
    examples = made()

    choice = better_by_cross_validation(BOTH, examples, folds=3, seed=0)

    for name in BOTH:
        assert choice.reached[name] == mean_average_precision(choice.scores[name], examples)
    assert choice.name == max(choice.reached, key=lambda name: choice.reached[name])


def test_scores_that_calibrate_are_not_better_than_those_of_new_lists() -> None:
    """What trees say of pairs that they have learned from is too good to be true."""
    examples, new = made(lists=60), made(lists=300, seed=1)
    left_out = better_by_cross_validation({"trees": trees}, examples, folds=5, seed=0).reached["trees"]
    learned = trees(examples)

    known, unknown = (mean_average_precision(learned(some.features), some) for some in (examples, new))

    assert known > unknown + 0.07
    assert left_out == pytest.approx(unknown, abs=0.05)


def test_what_stands_stays_where_the_gain_may_be_chance() -> None:
    """Ten lists of two; one order is wrong in two of them, the other in a third one."""
    labels = np.tile([True, False], 10)
    twice, once = np.tile(labels.astype(float), (2, 1))
    twice[:4], once[4:6] = 1 - twice[:4], 1 - once[4:6]
    examples = Examples(np.stack([twice, once], axis=1), labels, np.repeat(np.arange(10), 2))
    by_column = {
        "standing": lambda examples: lambda features: features[:, 0],
        "lucky": lambda examples: lambda features: features[:, 1],
    }

    assert better_by_cross_validation(by_column, examples, folds=2, seed=0).name == "lucky"
    for lead, chosen in {0.5: "lucky", 1.0: "standing"}.items():
        standing = Standing("standing", lead)
        assert better_by_cross_validation(by_column, examples, 2, 0, standing).name == chosen


def test_what_stands_gives_way_to_what_is_better_beyond_chance() -> None:
    standing = Standing("linear", 2.0)
    assert better_by_cross_validation(BOTH, made(lists=100), 3, 0, standing).name == "trees"


def test_of_equals_the_first_is_chosen() -> None:
    again = {"second": linear, "first": linear}

    assert better_by_cross_validation(again, made(), folds=2, seed=0).name == "second"
