"""Porter's stems of words, each made once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import Stemmer

_CACHED_STEMS: Final = 200_000
_PORTER: Final = Stemmer.Stemmer("porter", 0)
_LOCK: Final = threading.Lock()
"""A Snowball stemmer serves one thread at a time."""


@lru_cache(_CACHED_STEMS)
def stem(word: str) -> str:
    """The stem of a word in lower case (Porter 1980, as in Snowball)."""
    return stems([word])[0]


def stems(words: Sequence[str]) -> list[str]:
    """The stems of many words, which are not remembered."""
    with _LOCK:
        stemmed: list[str] = _PORTER.stemWords(words)
    return stemmed
