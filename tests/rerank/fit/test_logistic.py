"""Logistic regression: the weights are those of scikit-learn, and few examples change a prior little."""

import numpy as np
import pytest
from example_cases import made
from sklearn.linear_model import LogisticRegression

from askagain.errors import TrainingError
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import mean_average_precision
from askagain.rerank.fit.logistic import fit_logistic
from askagain.rerank.fit.preparing import equal_query_weights
from askagain.rerank.fit.settings import LogisticSettings
from askagain.rerank.judges.base import Learned
from askagain.rerank.judges.linear import LinearJudge
from askagain.rerank.linear import linear_scores

PLAIN = LogisticSettings()


def scaled(examples: Examples, learned: Learned) -> np.ndarray:
    return (examples.features - learned.arrays["mean"]) / learned.arrays["scale"]


def sum_of_weights(learned: Learned) -> float:
    return float(np.abs(learned.arrays["weights"]).sum())


@pytest.mark.parametrize("l2", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize("equal_queries", [False, True])
def test_weights_are_those_of_scikit_learn(l2: float, equal_queries: bool) -> None:
    examples = made()
    uneven = Examples(examples.features, examples.labels, np.where(np.arange(400) < 300, 0, examples.lists))
    settings = LogisticSettings(l2=l2, equal_queries=equal_queries)

    learned = fit_logistic(uneven, settings)

    weights = equal_query_weights(uneven) if equal_queries else None
    model = LogisticRegression(C=1 / l2, tol=1e-10, max_iter=10_000)
    model.fit(scaled(uneven, learned), uneven.labels, weights)
    np.testing.assert_allclose(learned.arrays["weights"], model.coef_[0], atol=1e-5)
    np.testing.assert_allclose(learned.arrays["bias"], model.intercept_, atol=1e-5)


def test_features_are_standardised_where_they_are_known() -> None:
    examples = made(unknown=0.3)

    arrays = fit_logistic(examples, PLAIN).arrays

    np.testing.assert_allclose(arrays["mean"], np.nanmean(examples.features, axis=0), atol=1e-6)
    np.testing.assert_allclose(arrays["scale"], np.nanstd(examples.features, axis=0), rtol=1e-6)


def test_what_is_unknown_counts_as_the_mean() -> None:
    examples = made(unknown=0.3)
    filled = np.where(np.isnan(examples.features), np.nanmean(examples.features, axis=0), examples.features)

    learned = fit_logistic(examples, PLAIN)

    model = LogisticRegression(tol=1e-10)
    model.fit(scaled(Examples(filled, examples.labels, examples.lists), learned), examples.labels)
    np.testing.assert_allclose(learned.arrays["weights"], model.coef_[0], atol=1e-5)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e6, np.nan])
def test_a_feature_that_never_changes_does_no_harm(constant: float) -> None:
    examples = made()
    without = Examples(examples.features[:, 1:], examples.labels, examples.lists)
    examples.features[:, 0] = constant

    weights = fit_logistic(examples, PLAIN).arrays["weights"]

    assert weights[0] == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(weights[1:], fit_logistic(without, PLAIN).arrays["weights"], atol=1e-5)


def test_examples_that_can_be_divided_without_a_mistake_have_finite_weights() -> None:
    examples = made()
    examples.features[:, 0] = examples.labels * 1e3
    learned = fit_logistic(examples, LogisticSettings(l2=1e-6))

    assert ((linear_scores(learned.arrays, examples.features) > 0) == examples.labels).all()
    assert 1 < sum_of_weights(learned) < 100


def test_a_linear_judge_reads_what_was_learned() -> None:
    learned = fit_logistic(made(), PLAIN)
    judge = LinearJudge(FeatureExtractor(["rank"] * 5, {}), learned.arrays)

    assert judge.threshold == 0.0


def test_pairs_of_one_kind_are_refused() -> None:
    examples = made(lists=4)
    with pytest.raises(TrainingError, match="mark more duplicates"):
        fit_logistic(Examples(examples.features, np.zeros(40, dtype=bool), examples.lists), PLAIN)


# With a prior

PRIOR = Learned(
    {
        "mean": np.zeros(5, dtype=np.float32), "scale": np.full(5, 2, dtype=np.float32),
        "weights": np.array([3, 0, 0, 0, 0], dtype=np.float32), "bias": np.array([-1.5], dtype=np.float32),
        "threshold": np.zeros(1, dtype=np.float32),
    }
)  # fmt: skip


def test_strong_restraint_leaves_the_prior_as_it_is() -> None:
    arrays = fit_logistic(made(), LogisticSettings(l2=1e6), PRIOR).arrays

    for name in ("mean", "scale", "weights", "bias"):
        np.testing.assert_allclose(arrays[name], PRIOR.arrays[name], atol=1e-3)


def test_the_pull_is_towards_the_prior() -> None:
    """Its weights as an offset, and what is added to them held back: the same in scikit-learn's terms."""
    examples = made()
    arrays = fit_logistic(examples, LogisticSettings(l2=5.0), PRIOR).arrays
    columns = np.column_stack([examples.features / 2, np.ones(400)])
    before = np.append(PRIOR.arrays["weights"], PRIOR.arrays["bias"])
    after = np.append(arrays["weights"], arrays["bias"])

    errors = 1 / (1 + np.exp(-columns @ after)) - examples.labels

    np.testing.assert_allclose(columns.T @ errors, -5.0 * (after - before), atol=1e-3)


def test_many_examples_outweigh_the_prior() -> None:
    many = made(lists=2000)
    wrong = Learned({**PRIOR.arrays, "weights": np.array([-3, 0, 0, 0, 0], dtype=np.float32)})

    learned = fit_logistic(many, PLAIN, wrong)

    assert mean_average_precision(linear_scores(learned.arrays, many.features), many) == pytest.approx(
        mean_average_precision(linear_scores(fit_logistic(many, PLAIN).arrays, many.features), many), abs=0.01
    )


def test_a_few_examples_do_a_good_prior_no_harm_and_are_better_with_it_than_alone() -> None:
    test = made(lists=300, seed=99)

    def reached(learned: Learned) -> float:
        return mean_average_precision(linear_scores(learned.arrays, test.features), test)

    few = [made(lists=3, seed=seed) for seed in range(20)]
    alone = np.mean([reached(fit_logistic(some, PLAIN)) for some in few])
    with_prior = np.mean([reached(fit_logistic(some, LogisticSettings(l2=30.0), PRIOR)) for some in few])

    assert alone < with_prior - 0.02
    assert with_prior > reached(PRIOR) - 0.005


def test_a_prior_of_other_features_is_refused() -> None:
    with pytest.raises(TrainingError, match="has weights for 5 features, and the pairs have 4"):
        fit_logistic(made(features=4), PLAIN, PRIOR)
