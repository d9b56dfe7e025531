"""A judge by trees over the features of a pair."""

import numpy as np
import pytest

from askagain.errors import ModelError
from askagain.question import Question, Reason
from askagain.rerank.extraction import RANK, FeatureExtractor
from askagain.rerank.judges.trees import TreesJudge

QUERY = Question("boot from a usb stick")
SAME, OTHER = Question("boot from a usb stick"), Question("wifi is slow")
EXTRACTOR = FeatureExtractor((RANK, "title.jaccard.words"), {})


def arrays(feature: int = 1) -> dict[str, np.ndarray]:
    """One split: pairs with a Jaccard index above a half are likely to be duplicates."""
    return {
        "features": np.array([feature, 0, 0]), "borders": np.array([0.5, 0, 0]),
        "left": np.array([1, 1, 2]), "right": np.array([2, 1, 2]), "unknown_left": np.array([1, 0, 0]),
        "values": np.array([0, -1, 3.0]), "offsets": np.array([0, 3]),
        "baseline": np.array([-2.0]), "threshold": np.array([0.0]),
    }  # fmt: skip


def test_scores_are_the_leaves_of_the_pairs() -> None:
    assert TreesJudge(EXTRACTOR, arrays()).score(QUERY, [OTHER, SAME]) == [-3.0, 1.0]


def test_only_what_is_more_likely_a_duplicate_than_not_is_above_the_threshold() -> None:
    assert TreesJudge(EXTRACTOR, arrays()).threshold == 0.0


def test_features_are_its_reasons_but_not_the_rank() -> None:
    assert TreesJudge(EXTRACTOR, arrays()).explain(QUERY, SAME) == [Reason("jaccard.words", "title", 3.0)]


def test_no_candidates_no_scores() -> None:
    assert TreesJudge(EXTRACTOR, arrays()).score(QUERY, []) == []


def test_trees_over_other_features_are_refused() -> None:
    with pytest.raises(ModelError, match=r"folder: the trees are damaged: .* not among the 2"):
        TreesJudge(EXTRACTOR, arrays(feature=2), "folder")
