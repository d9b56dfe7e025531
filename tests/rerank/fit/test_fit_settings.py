"""Settings of what learns from matrices of features."""

import pytest

from askagain.errors import SettingsError
from askagain.rerank.fit.settings import LogisticSettings, TreeSettings


@pytest.mark.parametrize(
    ("name", "value"),
    [("trees", 0), ("learning_rate", 0.0), ("leaves", 1), ("least_in_leaf", 0), ("l2", -1.0)],
)
def test_numbers_of_trees_have_their_ranges(name: str, value: float) -> None:
    with pytest.raises(SettingsError, match=f"{name} is {value:g}: it must be from"):
        TreeSettings(**{name: value})


def test_a_logistic_regression_needs_some_restraint() -> None:
    """Without it, weights that divide the examples without a mistake would grow for ever."""
    with pytest.raises(SettingsError, match="l2 is 0: it must be from 1e-06"):
        LogisticSettings(l2=0.0)
