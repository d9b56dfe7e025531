"""Matrices in 8 bits a number: a quarter of the size, and nearly the same directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats

_LARGEST_CODE: Final = 127
_MATRICES: Final = ("words", "buckets")


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


def in_8_bits(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The same weights of a part, with its matrices of word vectors as NAME.codes and NAME.scales."""
    small: dict[str, NDArray[Any]] = {}
    for name, array in weights.items():
        if name in _MATRICES:
            quantised = quantise(array)
            small |= {f"{name}.codes": quantised.codes, f"{name}.scales": quantised.scales}
        else:
            small[name] = array
    return small
