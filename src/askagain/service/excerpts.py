"""Forum posts in short, as plain text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from askagain.markup import LINK, decode_entities, html_to_text

LONGEST: Final = 500
"""So many characters of a post are shown."""

_READ: Final = 4_000
_REMEMBERED: Final = 4_000


def excerpt(post: str) -> str:
    """The beginning of a post without its markup; "…" at the end stands for the rest."""
    return _excerpt(post[:_READ], len(post) > _READ)


@lru_cache(_REMEMBERED)
def _excerpt(beginning: str, is_cut: bool) -> str:
    visible = decode_entities(html_to_text(beginning, block_code=True, inline_code=True))
    text = " ".join(visible.replace(f" {LINK} ", " ").split())
    if len(text) <= LONGEST and not is_cut:
        return text
    return f"{text[: LONGEST - 1].rsplit(' ', 1)[0]}…"


def web_address(url: str) -> str | None:
    """An address that may become a link; None for all others, such as javascript:"""
    return url if url.startswith(("https://", "http://")) else None
