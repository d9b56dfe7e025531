"""The logistic curve, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored_pairs import drawn_pairs
from sklearn.linear_model import LogisticRegression

from askagain.calibration.examples import Examples, make_examples
from askagain.calibration.logistic import LogisticCurve, fit_logistic
from askagain.evaluation.metrics import FloatArray


def log_odds(curve: LogisticCurve, scores: FloatArray) -> FloatArray:
    return curve.slope * (scores - curve.centre) + curve.height


def of_scikit_learn(examples: Examples) -> LogisticRegression:
    """Platt's targets as two weighted examples of each pair, one of each kind."""
    duplicates = examples.weights[examples.labels].sum()
    others = examples.weights[~examples.labels].sum()
    targets = np.where(examples.labels, (duplicates + 1) / (duplicates + 2), 1 / (others + 2))
    count = len(targets)
    return LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(
        np.tile(examples.scores, 2)[:, np.newaxis],
        np.repeat([True, False], count),
        np.concatenate([examples.weights * targets, examples.weights * (1 - targets)]),
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_curve_is_that_of_scikit_learn(seed: int) -> None:
    scores, labels = drawn_pairs(300, seed=seed)
    examples = make_examples(scores, labels, np.random.default_rng(seed).uniform(0.1, 3.0, len(scores)))

    ours = log_odds(fit_logistic(examples), examples.scores)
    theirs = of_scikit_learn(examples).decision_function(examples.scores[:, np.newaxis])

    assert ours == pytest.approx(theirs, abs=1e-4)


def test_the_scale_and_the_offset_of_scores_do_not_matter() -> None:
    scores, labels = drawn_pairs(300)
    plain = log_odds(fit_logistic(make_examples(scores, labels)), scores)
    moved = scores * 1e-3 + 1e5
    assert log_odds(fit_logistic(make_examples(moved, labels)), moved) == pytest.approx(plain, abs=1e-4)


def test_scores_that_divide_the_pairs_do_not_make_the_curve_infinite() -> None:
    # Platt's targets: 21 / 22 instead of 1, 1 / 22 instead of 0.
    curve = fit_logistic(make_examples([0.0] * 20 + [1.0] * 20, [False] * 20 + [True] * 20))
    found = 1 / (1 + np.exp(-log_odds(curve, np.array([0.0, 1.0]))))
    assert found == pytest.approx([1 / 22, 21 / 22])


def test_a_curve_that_would_fall_is_level_instead() -> None:
    curve = fit_logistic(make_examples(np.arange(50), np.arange(50) < 25))
    assert curve.slope == 0
    assert curve.height == pytest.approx(0.0)


def test_equal_scores_give_a_level_curve_at_the_share_of_duplicates() -> None:
    curve = fit_logistic(make_examples([3.0] * 100, [True] * 25 + [False] * 75))
    assert curve.slope == 0
    assert 1 / (1 + np.exp(-curve.height)) == pytest.approx(0.25 * 26 / 27 + 0.75 * 1 / 77)


@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.booleans()), min_size=2, max_size=40
    )
)
def test_every_score_gives_a_finite_curve(pairs: list[tuple[float, bool]]) -> None:
    curve = fit_logistic(make_examples(*zip(*pairs, strict=True)))
    assert np.isfinite(curve).all()
    assert curve.slope >= 0
