"""String measures: what two texts have in common as sequences of characters or words.

Every measure is from 0 to 1, and 1 for a text and itself. A text without words is like no other: with it
every measure is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Final

import numpy as np

from askagain.errors import MissingExtraError
from askagain.jit import Array
from askagain.rerank.features.kernels.profiles import profile_products
from askagain.rerank.features.kernels.sequences import best_local_alignment, longest_run, tiled

try:
    from rapidfuzz.distance import JaroWinkler, LCSseq, Levenshtein
except ImportError as error:
    raise MissingExtraError("string measures need rapidfuzz: pip install 'askagain[features]'") from error

MATCH: Final = 2
MISMATCH: Final = -1
GAP: Final = -1
"""The scores of Smith and Waterman's alignment: a pair of equal words, of other words, a word alone."""

# A few texts are enough: a query, which is compared with many, and the candidate at hand in three fields.
_CACHED_TEXTS: Final = 256
_LARGEST_CODE: Final = 2**63 - 1


def longest_common_substring(first: str, second: str) -> float:
    """2n / (|first| + |second|), n the length of the longest run of characters in both (Gusfield 1997)."""
    if not first or not second:
        return 0.0
    longest = longest_run(_characters(first), _characters(second))
    return 2 * longest / (len(first) + len(second))


def longest_common_subsequence(first: Sequence[str], second: Sequence[str]) -> float:
    """2n / (|first| + |second|), n the length of the longest sequence that both have, with gaps allowed.

    It consists of characters for two texts, and of words for two lists of words (Allison & Dix 1986).
    """
    if not first or not second:
        return 0.0
    return 2 * LCSseq.similarity(first, second) / (len(first) + len(second))


def smith_waterman(first: Sequence[str], second: Sequence[str]) -> float:
    """The best local alignment of two lists of words (Smith & Waterman 1981).

    Its score is the sum of `MATCH`, `MISMATCH` and `GAP` over its columns, and is divided by the score of the
    shorter list with itself.
    """
    if not first or not second:
        return 0.0
    score = best_local_alignment(_codes(tuple(first)), _codes(tuple(second)), MATCH, MISMATCH, GAP)
    return score / (MATCH * min(len(first), len(second)))


def greedy_string_tiling(first: Sequence[str], second: Sequence[str], least: int = 2) -> float:
    """Words that are covered by tiles, as a share of all words of both lists (Wise 1993).

    A tile is a run of at least `least` words that both have; the longest are taken first, and each word
    belongs to one tile at most. With tiles that cover n words of each list the measure is
    2n / (|first| + |second|), as in JPlag (Prechelt et al. 2002). A list shorter than `least` has no tiles.
    """
    if not first or not second:
        return 0.0
    covered = tiled(_codes(tuple(first)), _codes(tuple(second)), max(least, 1))
    return 2 * covered / (len(first) + len(second))


def jaro_winkler(first: str, second: str) -> float:
    """Jaro's share of common characters and transpositions, raised for a common prefix (Winkler 1990).

    A prefix of up to four characters raises it by a tenth of the rest for each.
    """
    if not first or not second:
        return 0.0
    return JaroWinkler.similarity(first, second)


def levenshtein(first: str, second: str) -> float:
    """1 − d / length of the longer text, d the edits that make one the other (Levenshtein 1966).

    An edit inserts, deletes or replaces a character.
    """
    if not first or not second:
        return 0.0
    return Levenshtein.normalized_similarity(first, second)


def character_profiles(first: str, second: str, size: int) -> float:
    """The cosine of the counts of all runs of `size` characters (2 to 4), blanks included (Damashek 1995).

    Damashek also takes the mean of a collection away from the counts; this compares them as they are. A text
    that is shorter than `size` has no profile, which makes 0.
    """
    if len(first) < size or len(second) < size:
        return 0.0
    product, *squares = profile_products(_characters(first), _characters(second), size)
    return min(1.0, product / sqrt(squares[0] * squares[1]))


@lru_cache(maxsize=_CACHED_TEXTS)
def _characters(text: str) -> Array:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@lru_cache(maxsize=_CACHED_TEXTS)
def _codes(words: tuple[str, ...]) -> Array:
    """Words as numbers from 0 on: 63 bits of their hashes, which are made with a secret key."""
    return np.fromiter(map(hash, words), dtype=np.int64, count=len(words)) & _LARGEST_CODE
