"""The one way in which this package compiles its kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numba
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])

Array: TypeAlias = NDArray[Any]
Number: TypeAlias = Any
"""A number of 32 or 64 bits: numba finds out which."""
Arrays: TypeAlias = tuple[Any, ...]
"""Arrays travel to kernels in plain tuples, which numba takes over about as fast as single arguments."""


def compiled(function: Function) -> Function:
    """Compile with numba, without the GIL; the machine code is kept on disk where a folder can be written."""
    kernel: Any
    try:
        kernel = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # numba finds no writable folder for its cache
        kernel = numba.njit(nogil=True, error_model="numpy")(function)
    return kernel  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Like `compiled`, and copied into its callers: for the body of a hot loop."""
    kernel: Any = numba.njit(inline="always", error_model="numpy")(function)
    return kernel  # type: ignore[no-any-return]


def vectorised(function: Function) -> Function:
    """For sums over finite numbers whose order does not matter: lets the compiler use SIMD for them."""
    relaxed = {"nnan", "ninf", "nsz", "reassoc"}
    kernel: Any = numba.njit(fastmath=relaxed, error_model="numpy")(function)
    return kernel  # type: ignore[no-any-return]
