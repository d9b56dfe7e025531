"""The one way in which this package compiles its kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile with numba, releasing the GIL, keeping the machine code on disk where a folder can be written."""
    try:
        kernel = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # numba finds no writable folder for its cache
        kernel = numba.njit(nogil=True, error_model="numpy")(function)
    return kernel  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Like `compiled`, and copied into its callers: for the body of a hot loop."""
    return numba.njit(inline="always", error_model="numpy")(function)  # type: ignore[no-any-return]


def vectorised(function: Function) -> Function:
    """For reductions over finite numbers, whose order does not matter: lets the compiler use SIMD for them."""
    relaxed = {"nnan", "ninf", "nsz", "reassoc"}
    return numba.njit(fastmath=relaxed, error_model="numpy")(function)  # type: ignore[no-any-return]
