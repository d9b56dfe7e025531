"""Rows in 8 bits a number: a first look at them reads a quarter of the memory, and rules out most of them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats
from askagain.neighbours.kernels import LARGEST_CODE, code_products, round_rows

_LARGEST_SUM: Final = 2**31 - 1
_LARGEST_QUERY_CODE: Final = 2**15 - 1


class RoughRows:
    """Row i of a growing matrix is about `codes[i] * scales[i]`; the difference is at most `error` long."""

    def __init__(self, capacity: int, dimension: int) -> None:
        self.error = 0.0
        self._count = 0
        # Memory is used when it is written to.
        self._codes = np.empty((capacity, dimension), dtype=np.int8)
        self._scales = np.empty(capacity, dtype=np.float32)

    @property
    def codes(self) -> NDArray[np.int8]:
        """From -127 to 127: [rows, dimension]."""
        return self._codes[: self._count]

    @property
    def scales(self) -> Floats:
        """What a code counts in each row: [rows]."""
        return self._scales[: self._count]

    def follow(self, dense: Floats) -> None:
        """Take over the rows that are new."""
        begin, self._count = self._count, len(dense)
        if begin < len(dense):
            longest = round_rows(dense[begin:], self.codes[begin:], self.scales[begin:])
            self.error = max(self.error, longest)


class RoughQueries:
    """Query i is about `codes[i] * steps[i]`, with 16 bits a number; the difference is `errors[i]` long."""

    def __init__(self, dense: Floats) -> None:
        # So that no sum of products with codes of rows overflows.
        largest = min(_LARGEST_QUERY_CODE, _LARGEST_SUM // (int(LARGEST_CODE) * max(dense.shape[1], 1)))
        self.steps: Floats = np.abs(dense).max(axis=1, initial=0) / np.float32(largest)
        steps = np.where(self.steps > 0, self.steps, 1)[:, np.newaxis]
        # The step of a query of subnormal numbers is itself rounded: not beyond the largest code.
        self.codes = np.clip(np.rint(dense / steps), -largest, largest).astype(np.int16)
        meant = self.codes * self.steps.astype(np.float64)[:, np.newaxis]
        self.errors: NDArray[np.float64] = np.sqrt(np.square(dense - meant).sum(axis=1))

    def products(self, rows: RoughRows) -> Floats:
        """With all rows: [queries, rows]."""
        products: Floats = code_products(self.codes, self.steps, rows.codes, rows.scales)
        return products
