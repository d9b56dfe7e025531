"""Whether arrays are those of trees: after this check, every way through them ends at a leaf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.weightfile import Arrays

Numbers = NDArray[np.int64]

_PER_NODE: Final = ("features", "borders", "left", "right", "values", "unknown_left")
_KINDS: Final[Mapping[str, str]] = {
    "features": "i", "borders": "f", "left": "i", "right": "i", "values": "f", "unknown_left": "i",
    "offsets": "i", "baseline": "f", "threshold": "f",
}  # fmt: skip


class DamageError(Exception):
    """What is wrong with the arrays at hand."""


def check_trees(arrays: Arrays, features: int) -> None:
    """A DamageError unless these are trees over so many features."""
    _check_shapes(arrays)
    _check_numbers(arrays, features)
    _check_offsets(arrays["offsets"], len(arrays["left"]))
    _check_children(*(arrays[name].astype(np.int64) for name in ("left", "right", "offsets")))


def _check_shapes(arrays: Arrays) -> None:
    for name, kind in _KINDS.items():
        if name not in arrays or arrays[name].dtype.kind != kind or arrays[name].ndim != 1:
            raise DamageError(f"{name} is missing, or not a row of numbers")
    for name in _PER_NODE:
        if len(arrays[name]) != len(arrays["left"]):
            raise DamageError(f"{name} has {len(arrays[name])} numbers for {len(arrays['left'])} nodes")
    for name in ("baseline", "threshold"):
        if len(arrays[name]) != 1:
            raise DamageError(f"{name} is not one number")


def _check_numbers(arrays: Arrays, features: int) -> None:
    if np.isnan(arrays["borders"]).any():
        raise DamageError("a border is not a number")
    for name in ("values", "baseline", "threshold"):
        if not np.isfinite(arrays[name]).all():
            raise DamageError(f"{name} has infinite numbers, or what is no number")
    if not _all_within(arrays["features"], 0, features):
        raise DamageError(f"a node looks at a feature that is not among the {features}")
    if not _all_within(arrays["unknown_left"], 0, 2):
        raise DamageError("unknown_left has other numbers than 0 and 1")


def _all_within(numbers: NDArray[Any], first: int, end: int) -> bool:
    return bool(((numbers >= first) & (numbers < end)).all())


def _check_offsets(offsets: NDArray[Any], nodes: int) -> None:
    whole = offsets.astype(np.int64)
    if len(whole) < 2 or whole[0] != 0 or whole[-1] != nodes or (np.diff(whole) < 1).any():
        raise DamageError(f"the offsets do not divide {nodes} nodes into trees")


def _check_children(left: Numbers, right: Numbers, offsets: Numbers) -> None:
    """Both children of a node come after it, in the same tree, and have no other parent."""
    nodes = np.arange(len(left))
    ends = np.repeat(offsets[1:], np.diff(offsets))
    inner = (left != nodes) | (right != nodes)
    for children in (left[inner], right[inner]):
        if not ((children > nodes[inner]) & (children < ends[inner])).all():
            raise DamageError("a node does not come before its children, or they are in another tree")
    parents = np.bincount(np.concatenate([left[inner], right[inner]]), minlength=len(left))
    parents[offsets[:-1]] += 1
    if (parents != 1).any():
        raise DamageError("a node has two parents, or none")


def depths_of(left: Numbers, right: Numbers, offsets: Numbers) -> Numbers:
    """Of each tree the number of splits on its longest way."""
    levels = np.zeros(len(left), dtype=np.int64)
    reached, level = offsets[:-1], 0
    while len(reached):
        levels[reached] = level
        inner = reached[left[reached] != reached]
        reached, level = np.concatenate([left[inner], right[inner]]), level + 1
    depths: Numbers = np.maximum.reduceat(levels, offsets[:-1])
    return depths
