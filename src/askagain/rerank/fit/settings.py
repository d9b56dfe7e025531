"""How judges by a matrix of features learn."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.tables import check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings:
    """Boosted trees: how many, how far each one goes, and how large each is.

    `least_in_leaf` counts examples. With `monotone` the score never falls when a feature rises, for those
    features of which it is known that more means more alike. With `equal_queries` a query with many
    candidates counts as much as one with few.
    """

    trees: int = 300
    learning_rate: float = 0.05
    leaves: int = 15
    least_in_leaf: int = 20
    l2: float = 1.0
    monotone: bool = False
    equal_queries: bool = False

    def __post_init__(self) -> None:
        check_range("trees", self.trees, 1, 10_000)
        check_range("learning_rate", self.learning_rate, 1e-4, 1)
        check_range("leaves", self.leaves, 2, 1024)
        check_range("least_in_leaf", self.least_in_leaf, 1, 1e6)
        check_range("l2", self.l2, 0, 1e6)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticSettings:
    """A logistic regression: `l2` is how strongly weights are held back, 1 / C elsewhere."""

    l2: float = 1.0
    equal_queries: bool = False

    def __post_init__(self) -> None:
        check_range("l2", self.l2, 1e-6, 1e6)
