"""Whether this process may be copied: libraries with threads of their own do not survive a fork."""

from __future__ import annotations

import sys
from typing import Final

_UNFIT: Final = ("torch", "faiss", "ray")


def can_be_forked() -> bool:
    """False where there is no fork, and once a library is loaded that would hang in the copy."""
    return sys.platform != "win32" and not any(name in sys.modules for name in _UNFIT)
