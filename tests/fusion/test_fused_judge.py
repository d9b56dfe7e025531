"""What was learned about the order of candidates: signals to scores, scores to probabilities."""

import numpy as np
import pytest
from forum_of_words import made_up_judge
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askagain.calibration.calibration import default_calibration
from askagain.fusion.judge import FusedJudge
from askagain.rerank.fit.boosting import fit_trees
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.settings import TreeSettings
from askagain.rerank.matrix import Matrix

NAMES = ("bm25", "title.covered", "tags")
VALUES = arrays(np.float64, (5, 3), elements=st.floats(-100, 100) | st.just(np.nan))


def trees() -> FusedJudge:
    chance = np.random.default_rng(0)
    matrix = chance.normal(size=(200, 3))
    examples = Examples(matrix, matrix[:, 0] > matrix[:, 1], np.repeat(np.arange(20), 10))
    learned = fit_trees(examples, TreeSettings(trees=10), seed=0)
    return FusedJudge("trees", NAMES, learned.arrays, default_calibration(1.0, 0.0))


JUDGES = {"logistic": made_up_judge(NAMES), "trees": trees()}


def test_a_logistic_score_by_hand() -> None:
    arrays = {
        "mean": np.array([1.0, 0.0, 0.0]), "scale": np.array([2.0, 1.0, 1.0]),
        "weights": np.array([4.0, -1.0, 5.0]), "bias": np.array([0.5]),
    }  # fmt: skip
    judge = FusedJudge("logistic", NAMES, arrays, default_calibration(1.0, 0.0))
    # 4 · (2 − 1) / 2 − 1 · 3 + 0.5; tags are unknown and count as their mean.
    assert judge.scores(np.array([[2.0, 3.0, np.nan]])) == pytest.approx([-0.5])


def test_a_score_is_log_odds_until_it_is_calibrated() -> None:
    assert JUDGES["logistic"].probabilities(np.array([0.0, 2.0])) == pytest.approx(
        [0.5, 1 / (1 + np.exp(-2))]
    )


@pytest.mark.parametrize("method", JUDGES)
@given(VALUES)
def test_shares_and_what_all_have_add_up_to_the_score(method: str, matrix: Matrix) -> None:
    judge = JUDGES[method]
    for_all = judge.arrays["bias" if method == "logistic" else "baseline"][0]
    added = [judge.shares(row).sum() + for_all for row in matrix]
    np.testing.assert_allclose(judge.scores(matrix), added, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("method", JUDGES)
@given(VALUES)
def test_probabilities_lie_between_0_and_1_and_rise_with_the_score(method: str, matrix: Matrix) -> None:
    scores = JUDGES[method].scores(matrix)
    probabilities = JUDGES[method].probabilities(scores)
    assert ((probabilities > 0) & (probabilities < 1)).all()
    assert (np.diff(probabilities[np.argsort(scores)]) >= 0).all()
