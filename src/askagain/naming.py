"""The names of systems, which are also those of their models' folders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from askagain.errors import SettingsError

_MOST_BYTES: Final = 100
# Beside models there are the file `chosen`, and folders of unfinished trainings.
_POSSIBLE: Final = re.compile(r"(?!\.|chosen\Z|.*\.training\Z)[\w .,-]+")
_NOT_IN_NAMES: Final = re.compile(r"^\.+|[^\w .,-]")


def system_name(recipe: Mapping[str, Any], where: str) -> str:
    """The name that a recipe gives, or else its file's, with `_` for what no name may have."""
    name = recipe.get("name", _possible_part(Path(where).stem))
    if not isinstance(name, str) or not _POSSIBLE.fullmatch(name) or len(name.encode()) > _MOST_BYTES:
        raise SettingsError(
            f"{where}: the name {str(name)[:40]!r} is not possible: take letters, digits, blanks and -_., "
            f"(at most {_MOST_BYTES} bytes), no dot in front, no .training at the end, and not 'chosen'"
        )
    return name


def _possible_part(stem: str) -> str:
    return _NOT_IN_NAMES.sub("_", stem).encode()[:_MOST_BYTES].decode(errors="ignore")
