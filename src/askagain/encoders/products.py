"""Products of rows with a matrix, in one thread where there are few rows.

BLAS wakes its threads even for the product of one row. On a busy machine, or when several requests are
answered at once, waiting for them takes many times as long as the product itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.encoders.vectors import Floats
from askagain.jit import Array, compiled, vectorised

_ROWS_FOR_BLAS: Final = 32


def product(rows: Floats, matrix: Floats) -> Floats:
    """rows @ matrix: [n, e] times [e, d], which may be the transpose of another."""
    if len(rows) >= _ROWS_FOR_BLAS:
        return rows @ matrix
    is_transpose = not matrix.flags.c_contiguous
    few: Floats = inner_products(rows, matrix.T) if is_transpose else _few_times_matrix(rows, matrix)
    return few


@vectorised
def _dot(first: Array, second: Array) -> np.float32:
    total = np.float32(0.0)
    for place in range(len(first)):
        total += first[place] * second[place]
    return total


@compiled
def inner_products(rows: Array, matrix: Array) -> Array:
    """Every row of the one with every row of the other: [n, e] and [d, e] to [n, d]."""
    products = np.empty((len(rows), len(matrix)), dtype=np.float32)
    for row in range(len(rows)):
        for unit in range(len(matrix)):
            products[row, unit] = _dot(rows[row], matrix[unit])
    return products


@compiled
def _few_times_matrix(rows: Array, matrix: Array) -> Array:
    products = np.zeros((len(rows), matrix.shape[1]), dtype=np.float32)
    for place in range(len(matrix)):
        for row in range(len(rows)):
            factor = rows[row, place]
            for unit in range(matrix.shape[1]):
                products[row, unit] += factor * matrix[place, unit]
    return products
