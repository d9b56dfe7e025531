"""Where values stand within their lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askagain.fusion.kernels.places import in_lists


def test_a_value_stands_beside_how_far_it_is_behind_and_its_place() -> None:
    made = in_lists(np.array([0.2, 0.7, 0.4]), np.array([0, 3]))
    np.testing.assert_allclose(made, [[0.2, 0.5, 1 / 3], [0.7, 0.0, 1.0], [0.4, 0.3, 1 / 2]])


def test_equal_values_share_the_first_of_their_places() -> None:
    assert in_lists(np.array([0.2, 0.7, 0.2]), np.array([0, 3]))[:, 2].tolist() == [1 / 2, 1, 1 / 2]


VALUES = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0]), max_size=6)


@given(st.lists(VALUES, max_size=4))
def test_lists_do_not_disturb_each_other(lists: list[list[float]]) -> None:
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    made = in_lists(np.array([value for values in lists for value in values]), starts)
    expected = [
        [value, max(values) - value, 1 / (1 + sum(other > value for other in values))]
        for values in lists
        for value in values
    ]
    np.testing.assert_allclose(made, np.array(expected).reshape(-1, 3))
