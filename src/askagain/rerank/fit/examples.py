"""Labelled lists as matrices of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from askagain.rerank.matrix import Matrix
from askagain.sources.base import Progress, no_progress
from askagain.sources.lists import CandidateList

if TYPE_CHECKING:
    from askagain.rerank.extraction import FeatureExtractor


@dataclass(frozen=True)
class Examples:
    """All candidates of all lists: features [pairs, features], labels [pairs], and whose list each is in.

    Lists of one group [pairs] are about the same duplicates: one must not teach what another is measured by.
    Without groups every list is on its own. A pair that was asked from both ends has one number in `pairs`
    [pairs]; without numbers every pair was asked once.
    """

    features: Matrix
    labels: NDArray[np.bool_]
    lists: NDArray[np.int64]
    groups: NDArray[np.int64] | None = None
    pairs: NDArray[np.int64] | None = None

    @property
    def duplicates(self) -> int:
        """How many different pairs are duplicates."""
        return int(self.labels.sum()) if self.pairs is None else len(np.unique(self.pairs[self.labels]))

    @property
    def repeated(self) -> float:
        """How often a pair of duplicates is among these, on average."""
        return float(self.labels.sum()) / self.duplicates if self.duplicates else 1.0

    def of(self, lists: Sequence[int] | NDArray[np.int64]) -> Examples:
        """Those of some lists."""
        return self.chosen(np.isin(self.lists, lists))

    def chosen(self, some: NDArray[np.bool_]) -> Examples:
        """Some of the pairs."""
        groups = None if self.groups is None else self.groups[some]
        pairs = None if self.pairs is None else self.pairs[some]
        return Examples(self.features[some], self.labels[some], self.lists[some], groups, pairs)


def examples_of(
    extractor: FeatureExtractor, lists: Sequence[CandidateList], progress: Progress = no_progress
) -> Examples:
    """The features of every pair."""
    matrices: list[Matrix] = []
    for number, list_ in enumerate(lists, start=1):
        matrices.append(extractor.matrix(list_.query, [entry.question for entry in list_.candidates]))
        progress(number, len(lists))
    labels = [bool(entry.relevant) for list_ in lists for entry in list_.candidates]
    numbers = np.repeat(np.arange(len(lists)), [len(list_.candidates) for list_ in lists])
    return Examples(np.concatenate(matrices), np.array(labels), numbers)
