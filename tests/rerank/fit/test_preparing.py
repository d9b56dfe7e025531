"""What can be learned from, and how much each pair counts."""

import numpy as np
import pytest
from example_cases import made

from askagain.errors import TrainingError
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.preparing import check_learnable, equal_query_weights

LISTS = Examples(np.zeros((6, 1)), np.array([True] * 3 + [False] * 3), np.array([4, 4, 4, 4, 9, 9]))


@pytest.mark.parametrize("label", [True, False])
def test_labels_that_are_all_the_same_are_refused(label: bool) -> None:
    examples = made(4)
    with pytest.raises(TrainingError, match="mark more duplicates"):
        check_learnable(Examples(examples.features, np.full(40, label), examples.lists))


def test_an_infinite_value_is_refused_and_an_unknown_one_is_not() -> None:
    examples = made(4)
    examples.features[3, 1] = np.nan
    check_learnable(examples)
    examples.features[3, 2] = -np.inf
    with pytest.raises(TrainingError, match="feature number 2 is infinite"):
        check_learnable(examples)


def test_every_query_may_count_the_same() -> None:
    assert equal_query_weights(LISTS).tolist() == [0.75] * 4 + [1.5] * 2
