"""Wilson's interval, against values worked out from its equation."""

import numpy as np
import pytest

from askagain.calibration.intervals import TWO_SIDED_95, wilson_interval


def test_the_ends_solve_wilsons_equation() -> None:
    # (share - end)² = z² · end · (1 - end) / n
    share, count = 0.3, 40.0
    for end in wilson_interval(np.array([share]), np.array([count]), TWO_SIDED_95):
        assert (share - end) ** 2 == pytest.approx(TWO_SIDED_95**2 * end * (1 - end) / count)


def test_all_of_some_things_is_not_surely_all() -> None:
    low, high = wilson_interval(np.array([1.0]), np.array([10.0]), TWO_SIDED_95)
    assert low == pytest.approx([10 / (10 + TWO_SIDED_95**2)])
    assert high == pytest.approx([1.0])


def test_more_things_are_surer() -> None:
    low, high = wilson_interval(np.array([0.5, 0.5]), np.array([10.0, 1000.0]), TWO_SIDED_95)
    assert low[0] < low[1] < 0.5 < high[1] < high[0]
