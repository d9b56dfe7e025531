"""Where things are kept that belong to no archive and can be made again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """ASKAGAIN_CACHE, else `askagain` in the user's folder for caches; it need not exist yet."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("ASKAGAIN_CACHE") or home / "askagain")
