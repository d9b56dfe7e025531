"""Field lengths, exact or in the coarse steps that Lucene stores.

Lucene keeps a field's length in one byte: exactly up to 40 terms, above that with four significant bits
(`SmallFloat.intToByte4`). Scores equal Lucene's only if lengths take the same steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LONGEST = 65_535
"""Lengths are kept in 16 bits; a field with more terms counts as this long."""

EXACT_VALUES = 24
"""So many of the byte's 256 values are spent on small lengths before the steps begin."""


def coarse_lengths(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lengths that Lucene remembers for fields of these lengths."""
    rest = np.maximum(lengths - EXACT_VALUES, 0)
    significant_bits = np.frexp(rest)[1].astype(np.int64)
    dropped_bits = np.maximum(significant_bits - 4, 0)
    stepped = EXACT_VALUES + ((rest >> dropped_bits) << dropped_bits)
    return np.where(lengths < EXACT_VALUES, lengths, stepped)


def seen_lengths(longest: int, *, coarse: bool) -> NDArray[np.float64]:
    """For every length 0..longest, the length that a similarity gets to see."""
    exact = np.arange(longest + 1, dtype=np.int64)
    return (coarse_lengths(exact) if coarse else exact).astype(np.float64)
