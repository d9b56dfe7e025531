"""A sum of trees over features, of which some may be unknown."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.weightfile import Arrays
from askagain.errors import ModelError
from askagain.modelfolder import REMEDY
from askagain.rerank.matrix import Matrix
from askagain.rerank.trees.kernels import add_leaves, add_shares
from askagain.rerank.trees.structure import DamageError, check_trees, depths_of

# So many rows at a time stay in the processor's cache while they go down all trees.
_BLOCK: Final = 256


class Trees:
    """Arrays with a number per node, tree by tree, a node before its children; a leaf is its own child.

        features       which feature a node looks at
        borders        a value up to this one goes to the left
        unknown_left   whether NaN goes to the left, 1 or 0
        left, right    the children
        values         the mean score of the examples that came here, less that of the tree's root

    And `offsets` [trees + 1], where each tree begins; `baseline` [1], the mean score of all examples;
    `threshold` [1], above which a pair counts as one of duplicates.
    """

    def __init__(self, arrays: Arrays, features: int, where: str = "the model") -> None:
        try:
            check_trees(arrays, features)
        except DamageError as error:
            raise ModelError(f"{where}: the trees are damaged: {error}; {REMEDY}") from error
        self.baseline = float(arrays["baseline"][0])
        self.threshold = float(arrays["threshold"][0])
        self._features = features
        self._where = where
        left, right, offsets = (arrays[name].astype(np.int64) for name in ("left", "right", "offsets"))
        self._roots = offsets[:-1].astype(np.uint32)
        self._depths = depths_of(left, right, offsets)
        self._nodes = self._for_kernels(arrays)

    def _for_kernels(self, arrays: Arrays) -> tuple[NDArray[Any], ...]:
        columns = arrays["features"] + np.where(arrays["unknown_left"] == 1, self._features, 0)
        children = np.stack([arrays["left"], arrays["right"]], axis=1)
        return (
            columns.astype(np.uint32),
            arrays["borders"].astype(np.float64),
            np.ascontiguousarray(children, dtype=np.uint32),
            arrays["values"].astype(np.float64),
        )

    def score(self, matrix: Matrix) -> Matrix:
        """Of each row of a matrix [pairs, features] the log of the odds that it is one of duplicates."""
        scores = np.full(len(matrix), self.baseline)
        for start in range(0, len(matrix), _BLOCK):
            block = slice(start, start + _BLOCK)
            add_leaves(self._columns(matrix[block]), self._nodes, self._roots, self._depths, scores[block])
        return scores

    def shares(self, row: Matrix) -> Matrix:
        """What each feature adds to the baseline; together they are the row's score."""
        shares = np.zeros(2 * self._features)
        add_shares(self._columns(row[None])[0], self._nodes, self._roots, shares)
        both: Matrix = shares.reshape(2, self._features).sum(axis=0)
        return both

    def _columns(self, matrix: Matrix) -> Matrix:
        """Every feature twice: with NaN, which is never below a border, and with −∞, which always is."""
        if matrix.ndim != 2 or matrix.shape[1] != self._features:
            raise ModelError(
                f"{self._where}: the trees look at {self._features} features, not at those of a matrix of"
                f" shape {matrix.shape}; {REMEDY}"
            )
        values = np.asarray(matrix, dtype=np.float64)
        columns: Matrix = np.concatenate([values, np.where(np.isnan(values), -np.inf, values)], axis=1)
        return columns
