"""Naive Bayes: what it has learned are the means and variances of both kinds of pairs."""

import numpy as np

from askagain.rerank.fit.bayes import fit_bayes
from askagain.rerank.fit.examples import Examples

EXAMPLES = Examples(
    np.array([[0.0, 5.0], [2.0, 5.0], [10.0, 5.0], [14.0, 5.0]]),
    np.array([False, False, True, True]),
    np.array([0, 0, 1, 1]),
)


def test_means_and_variances_are_those_of_others_and_of_duplicates() -> None:
    arrays = fit_bayes(EXAMPLES).arrays
    np.testing.assert_allclose(arrays["means"], [[1, 5], [12, 5]])
    np.testing.assert_allclose(arrays["variances"][:, 0], [1, 4], rtol=1e-6)


def test_a_feature_that_never_changes_has_some_variance() -> None:
    assert (fit_bayes(EXAMPLES).arrays["variances"] > 0).all()


def test_the_prior_is_the_logarithm_of_the_odds() -> None:
    rare = Examples(EXAMPLES.features, np.array([False, False, False, True]), EXAMPLES.lists)
    np.testing.assert_allclose(fit_bayes(EXAMPLES).arrays["prior"], [0], atol=1e-7)
    np.testing.assert_allclose(fit_bayes(rare).arrays["prior"], [np.log(1 / 3)], rtol=1e-6)
