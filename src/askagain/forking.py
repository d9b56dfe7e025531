"""Copies of this process: libraries with threads of their own do not survive a fork, or only if told so."""

from __future__ import annotations

import sys
from typing import Final

_UNFIT: Final = ("torch", "ray")


def can_be_forked() -> bool:
    """False where there is no fork, and once a library is loaded that would hang in the copy."""
    return sys.platform != "win32" and not any(name in sys.modules for name in _UNFIT)


def go_on_alone() -> None:
    """In the copy: libraries that would wait for threads, which only the original has, do without."""
    if (faiss := sys.modules.get("faiss")) is not None:
        faiss.omp_set_num_threads(1)
