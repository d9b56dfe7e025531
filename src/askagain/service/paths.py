"""Ids in paths: one that contains a slash is sent with %2F, and must not be taken for two parts of a path."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import unquote

from fastapi import Path
from pydantic import BeforeValidator
from starlette.types import Scope

from askagain.service.schemas import LONGEST_ID, POSSIBLE_ID

# No id contains a control character, so this one can stand for a slash until the route is found.
_SLASH: Final = "\x1f"


def with_marked_slashes(scope: Scope) -> str:
    """The path for routing, in which an encoded slash is no slash."""
    raw: bytes = scope.get("raw_path") or b""
    if _SLASH in scope["path"]:
        # Nobody may send what stands for a slash: NUL is in no id.
        return str(scope["path"]).replace(_SLASH, "\0")
    if b"%2f" not in raw.lower():
        return str(scope["path"])
    marked = raw.replace(b"%2f", b"%1f").replace(b"%2F", b"%1f")
    return unquote(marked.decode("latin-1"), errors="replace")


def _with_slashes(id: str) -> str:
    return id.replace(_SLASH, "/")


PathId = Annotated[
    str,
    BeforeValidator(_with_slashes),
    Path(min_length=1, max_length=LONGEST_ID, pattern=POSSIBLE_ID),
]
"""The id of a question as a part of a path."""
