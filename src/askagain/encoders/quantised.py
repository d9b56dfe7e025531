"""Matrices in 8 bits a number: a quarter of the size, and nearly the same directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats

_LARGEST_CODE: Final = 127


@dataclass(frozen=True, slots=True, eq=False)
class Quantised:
    """Row i stands for `codes[i] * scales[i]`; codes: int8 [rows, columns], scales: [rows]."""

    codes: NDArray[np.int8]
    scales: Floats


def quantise(matrix: Floats) -> Quantised:
    """Round each (finite) number to the nearest 127th of the largest of its row."""
    scales = (np.abs(matrix).max(axis=1, initial=0) / _LARGEST_CODE).astype(np.float32)
    steps = matrix / np.where(scales > 0, scales, 1)[:, np.newaxis]
    # The scale of a row of subnormal numbers is itself rounded, which could lead beyond the largest code.
    codes = np.clip(np.rint(steps), -_LARGEST_CODE, _LARGEST_CODE).astype(np.int8)
    return Quantised(codes, scales)


def dequantise(quantised: Quantised) -> Floats:
    """The numbers that the codes stand for: [rows, columns]."""
    return quantised.codes * quantised.scales[:, np.newaxis]
