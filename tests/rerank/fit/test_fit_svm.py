"""SVMs over features: they find the feature that tells duplicates, and where to draw the line."""

import numpy as np
import pytest

from askagain.errors import TrainingError
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.svm import fit_svm
from askagain.rerank.recipe import FeatureSettings


def made(lists: int = 30, seed: int = 0) -> Examples:
    """Lists of ten; the first feature is higher for duplicates, the second means nothing."""
    chance = np.random.default_rng(seed)
    labels = np.tile([True, True, True] + [False] * 7, lists)
    features = chance.normal(size=(len(labels), 2))
    features[:, 0] += 4 * labels + np.repeat(chance.normal(size=lists), 10)
    return Examples(features, labels, np.repeat(np.arange(lists), 10))


def settings(method: str, *costs: float) -> FeatureSettings:
    return FeatureSettings(method=method, features=("a", "b"), costs=costs or (1.0,))  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["svm", "ranking-svm"])
def test_the_feature_that_tells_gets_the_weight(method: str) -> None:
    arrays = fit_svm(made(), settings(method), seed=0).arrays
    assert arrays["weights"][0] > 5 * abs(arrays["weights"][1])


@pytest.mark.parametrize("method", ["svm", "ranking-svm"])
def test_most_labels_come_out_right(method: str) -> None:
    learned, examples = fit_svm(made(), settings(method), seed=0).arrays, made(seed=1)
    scaled = (examples.features - learned["mean"]) / learned["scale"]
    said = scaled @ learned["weights"] + learned["bias"] > learned["threshold"]
    assert (said == examples.labels).mean() > 0.85


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (fit_svm(made(), settings("ranking-svm", 0.01, 1.0), seed=3).arrays for _ in range(2))
    assert all((first[name] == second[name]).all() for name in first)


def test_a_feature_that_never_changes_does_no_harm() -> None:
    examples = made()
    examples.features[:, 1] = 7.0
    assert all(
        np.isfinite(array).all() for array in fit_svm(examples, settings("svm"), seed=0).arrays.values()
    )


def test_lists_with_duplicates_alone_are_too_little() -> None:
    examples = made(lists=4)
    every = Examples(examples.features, np.ones_like(examples.labels), examples.lists)
    with pytest.raises(TrainingError, match="mark more duplicates"):
        fit_svm(every, settings("ranking-svm"), seed=0)
