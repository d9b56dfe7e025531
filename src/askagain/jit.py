"""The one way in which this package compiles its kernels."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import numba
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])

Array: TypeAlias = NDArray[Any]
Number: TypeAlias = Any
"""A number of 32 or 64 bits: numba finds out which."""
Arrays: TypeAlias = tuple[Any, ...]
"""Arrays travel to kernels in plain tuples, which numba takes over about as fast as single arguments."""

_WITH_KERNELS: Final = (
    "lexical",
    "encoders",
    "neighbours",
    "training/networks",
    "rerank/features/kernels",
    "rerank/features/mt",
    "rerank/matching",
    "rerank/trees",
    "fusion/kernels",
)


def _cache_folder() -> str:
    """Where machine code is kept: a folder per state of the sources.

    numba looks at the file of a kernel only, and would keep using old code of another file that it calls.
    """
    sources = [
        source for part in _WITH_KERNELS for source in sorted(Path(__file__).parent.glob(f"{part}/*.py"))
    ]
    state = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    beside = Path(__file__).parent / "__pycache__"
    writable = os.access(beside if beside.exists() else beside.parent, os.W_OK)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "askagain"
    return str((beside if writable else home) / f"kernels-{state}")


_CACHE: Final = os.environ.get("NUMBA_CACHE_DIR") or _cache_folder()


def compiled(function: Function) -> Function:
    """Compile with numba, without the GIL; the machine code is kept on disk where a folder can be written."""
    kernel: Any
    config: Any = numba.config
    others, config.CACHE_DIR = config.CACHE_DIR, _CACHE
    try:
        kernel = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except (RuntimeError, OSError):  # no folder can be written
        kernel = numba.njit(nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = others
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
