"""METEOR of one pair (Banerjee and Lavie 2005; Lavie and Agarwal 2007): words aligned in three stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from askagain.errors import MissingExtraError
from askagain.rerank.features.wordnet import synonyms

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

_CACHED_STEMS: Final = 200_000
_ALPHA: Final = 0.9
_BETA: Final = 3.0
_GAMMA: Final = 0.5

_Places: TypeAlias = list[tuple[int, str]]
"""Words that are not aligned yet, with their places in the text."""
_Alignment: TypeAlias = dict[int, int]
"""From the hypothesis' places to the reference's."""


def meteor(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The weighted mean of precision and recall of aligned words, less up to half for their order; 0 to 1.

    Stages, choices between equal words and parameters are those of nltk's `meteor_score`: the same word in
    lower case, then the same stem (Porter's, with nltk's extensions), then stems that are WordNet synonyms;
    each word of the hypothesis, from the last to the first, takes the last free word of the reference that
    fits. F = PR / (0.9 P + 0.1 R), times 1 − 0.5 (chunks / aligned)³, where a chunk is a longest run of words
    aligned side by side. Without an aligned word, 0. The same text has 1 − 0.5 / words³.
    """
    wanted: _Places = [(place, word.lower()) for place, word in enumerate(reference)]
    given: _Places = [(place, word.lower()) for place, word in enumerate(hypothesis)]
    aligned: _Alignment = {}
    wanted, given = _align_equal(wanted, given, aligned)
    wanted = [(place, _stem(word)) for place, word in wanted]
    given = [(place, _stem(word)) for place, word in given]
    _align_synonyms(*_align_equal(wanted, given, aligned), aligned)
    if not aligned:
        return 0.0
    precision, recall = len(aligned) / len(hypothesis), len(aligned) / len(reference)
    mean = precision * recall / (_ALPHA * precision + (1 - _ALPHA) * recall)
    penalty: float = _GAMMA * (_chunks(aligned) / len(aligned)) ** _BETA
    return mean * (1 - penalty)


def _align_equal(wanted: _Places, given: _Places, aligned: _Alignment) -> tuple[_Places, _Places]:
    """Aligns equal words; returns what is left of the reference and the hypothesis."""
    free: dict[str, list[int]] = defaultdict(list)
    for place, word in wanted:
        free[word].append(place)
    left = []
    for place, word in reversed(given):
        if places := free.get(word):
            aligned[place] = places.pop()
        else:
            left.append((place, word))
    left.reverse()
    return sorted((place, word) for word, places in free.items() for place in places), left


def _align_synonyms(wanted: _Places, given: _Places, aligned: _Alignment) -> None:
    free: dict[str, list[int]] = defaultdict(list)
    for place, word in wanted:
        free[word].append(place)
    for place, word in reversed(given):
        if fitting := synonyms(word) & free.keys():
            taken = max(fitting, key=lambda other: free[other][-1])
            aligned[place] = free[taken].pop()
            if not free[taken]:
                del free[taken]


def _chunks(aligned: _Alignment) -> int:
    """A word begins a chunk unless it and its neighbour before it are aligned side by side."""
    return sum(aligned.get(place - 1, -2) != other - 1 for place, other in aligned.items())


@lru_cache(_CACHED_STEMS)
def _stem(word: str) -> str:
    stem: str = _stemmer().stem(word)
    return stem


@cache
def _stemmer() -> PorterStemmer:
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise MissingExtraError("METEOR needs nltk: pip install 'askagain[features]'") from error
    return PorterStemmer()
