"""Isotonic regression, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored_pairs import drawn_pairs, true_probabilities
from sklearn.isotonic import IsotonicRegression

from askagain.calibration.examples import make_examples
from askagain.calibration.isotonic import blocks_of, fit_isotonic, pool_adjacent_violators


def test_neighbours_that_fall_are_pooled() -> None:
    blocks = pool_adjacent_violators(blocks_of(make_examples([1, 2, 3, 4], [False, True, False, True])))
    assert blocks.shares.tolist() == [0.0, 0.5, 1.0]
    assert blocks.centres.tolist() == [1.0, 2.5, 4.0]


def test_equal_scores_are_one_block() -> None:
    blocks = blocks_of(make_examples([1, 1, 1, 2], [False, True, False, True]))
    assert blocks.weights.tolist() == [3.0, 1.0]
    assert blocks.shares.tolist() == pytest.approx([1 / 3, 1.0])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("decimals", [0, 1, 6])
def test_pooled_shares_are_those_of_scikit_learn(seed: int, decimals: int) -> None:
    scores, labels = drawn_pairs(400, seed=seed)
    weights = np.random.default_rng(seed).uniform(0.1, 3.0, len(scores))
    examples = make_examples(scores.round(decimals), labels, weights)

    blocks = pool_adjacent_violators(blocks_of(examples))
    theirs = IsotonicRegression().fit(examples.scores, examples.labels, examples.weights)
    shares, numbers = np.unique(theirs.predict(examples.scores).round(9), return_inverse=True)

    assert blocks.shares == pytest.approx(shares, abs=1e-8)
    assert blocks.weights == pytest.approx(np.bincount(numbers, examples.weights))


def test_extreme_blocks_are_smoothed_by_half_an_example_of_each_kind() -> None:
    _, log_odds = fit_isotonic(make_examples([1, 2, 3, 4, 5, 6, 7], [False] * 3 + [True] * 4))
    assert 1 / (1 + np.exp(-log_odds)) == pytest.approx([0.5 / 4, 4.5 / 5])


def test_blocks_that_smoothing_put_out_of_order_are_pooled_again() -> None:
    # Alone, the first pair would have 0.5 / 2 = 0.25, and the next hundred (1 + 0.5) / 101.
    scores = np.arange(111.0)
    labels = scores > 100
    labels[1] = True
    centres, log_odds = fit_isotonic(make_examples(scores, labels))
    assert (np.diff(log_odds) > 0).all()
    assert len(centres) == 2


@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.booleans()), min_size=1, max_size=60),
)
def test_centres_and_log_odds_increase(pairs: list[tuple[float, bool]]) -> None:
    centres, log_odds = fit_isotonic(make_examples(*zip(*pairs, strict=True)))
    assert (np.diff(log_odds) > 0).all()
    assert (np.diff(centres) >= 0).all()


def test_many_examples_show_the_true_probabilities() -> None:
    centres, log_odds = fit_isotonic(make_examples(*drawn_pairs(50_000)))
    inside = np.linspace(-1.5, 3.5, 50)
    found = 1 / (1 + np.exp(-np.interp(inside, centres, log_odds)))
    assert np.abs(found - true_probabilities(inside)).mean() < 0.02
