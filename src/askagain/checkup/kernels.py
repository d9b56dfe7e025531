"""Whether the compiled kernels are kept, so that no search has to wait for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from askagain.checkup.finding import Finding, ok, warning

_SUBJECT: Final = "kernels"


def check_kernels() -> Finding:
    """By the one kernel that every search of words calls."""
    from askagain.lexical.pruned import search_segment

    kernel: Any = search_segment
    return check_cache(kernel.stats.cache_path, kernel.__name__)


def check_cache(folder: str | None, kernel: str) -> Finding:
    """Whether numba has kept a kernel in its folder; None = there is no place for one."""
    if folder is None:
        return warning(
            _SUBJECT,
            "no folder for them can be written, so every start compiles them anew",
            "set NUMBA_CACHE_DIR to a folder that can",
        )
    if not any(Path(folder).glob(f"*.{kernel}-*.nbi")):
        return warning(
            _SUBJECT, "not compiled yet, so the first search takes longer", "python -m askagain.warmup"
        )
    return ok(_SUBJECT, f"compiled, in {Path(folder).parent}")
