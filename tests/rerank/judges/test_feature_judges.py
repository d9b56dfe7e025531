"""Judges by features, and what they say beside their scores."""

from collections.abc import Sequence

import numpy as np
import pytest

from askagain.question import Question, Reason
from askagain.rerank.extraction import RANK, FeatureExtractor
from askagain.rerank.judges.bayes import BayesJudge
from askagain.rerank.judges.labelling import LabellingJudge
from askagain.rerank.judges.linear import LinearJudge
from askagain.rerank.judges.vote import VoteJudge

QUERY = Question("boot from a usb stick")
SAME, OTHER = Question("boot from a usb stick"), Question("wifi is slow")
JACCARD = "title.jaccard.words"


def extractor(*names: str) -> FeatureExtractor:
    return FeatureExtractor(names or (RANK, JACCARD), {})


def numbers(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def linear(threshold: float = 0.0) -> LinearJudge:
    arrays = {
        "mean": numbers(0.5, 0.5), "scale": numbers(0.5, 0.5), "weights": numbers(0.0, 2.0),
        "bias": numbers(0.25), "threshold": numbers(threshold),
    }  # fmt: skip
    return LinearJudge(extractor(), arrays)


class Fixed:
    """Says the same of every candidate."""

    threshold = 0.5

    def __init__(self, value: float) -> None:
        self._value = value

    def score(self, query: Question, candidates: Sequence[Question]) -> list[float]:
        return [self._value for _ in candidates]

    def explain(self, query: Question, candidate: Question) -> list[Reason]:
        return [Reason("all", "both", self._value)]


def test_the_rank_is_the_place_in_the_list() -> None:
    np.testing.assert_allclose(extractor().matrix(QUERY, [OTHER, SAME])[:, 0], [1, 0.5])


def test_a_linear_judge_adds_weighted_features() -> None:
    # Jaccard is 1 and 0: (1 − 0.5) / 0.5 · 2 + 0.25, and the same with 0.
    assert linear().score(QUERY, [SAME, OTHER]) == pytest.approx([2.25, -1.75])


def test_a_linear_judge_names_features_as_its_reasons_but_not_the_rank() -> None:
    assert linear().explain(QUERY, SAME) == [Reason("jaccard.words", "title", 2.0)]


def test_bayes_gives_the_probability_of_two_normal_densities() -> None:
    arrays = {
        "means": numbers(0, 1).reshape(2, 1),
        "variances": numbers(0.5, 0.5).reshape(2, 1),
        "prior": numbers(0),
    }
    judge = BayesJudge(extractor(JACCARD), arrays)
    # log N(1; 1) − log N(1; 0) = 1 / (2 · 0.5) = 1.
    assert judge.score(QUERY, [SAME, OTHER]) == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))])
    assert judge.explain(QUERY, SAME)[0].share == pytest.approx(1.0)


def test_a_labelling_judge_says_yes_or_no() -> None:
    judge = LabellingJudge(linear())
    assert judge.score(QUERY, [SAME, OTHER]) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("said", "score"), [((1, 1, 1), 1.0), ((1, 0, 1), 2 / 3), ((0, 1, 0), 1 / 3), ((0, 0, 0), 0.0)]
)
def test_the_share_of_judges_that_say_yes_is_the_score(said: tuple[int, ...], score: float) -> None:
    judge = VoteJudge({f"judge {number}": Fixed(value) for number, value in enumerate(said)})
    assert judge.score(QUERY, [SAME]) == [pytest.approx(score)]
    assert (score > judge.threshold) == (sum(said) >= 2)


def test_a_vote_is_explained_by_who_said_yes() -> None:
    judge = VoteJudge({"first": Fixed(0.0), "second": Fixed(1.0)})
    assert judge.explain(QUERY, SAME) == [Reason("second", "vote", 0.5), Reason("first", "vote", 0.0)]


def test_no_candidates_no_scores() -> None:
    assert linear().score(QUERY, []) == []
