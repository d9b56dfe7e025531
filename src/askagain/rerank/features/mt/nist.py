"""NIST of one pair (Doddington 2002): like BLEU, but rare n-grams count for more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log, log2
from typing import Final

from askagain.rerank.features.mt.ngrams import Ngrams, shared_ngrams

_CACHED_TEXTS: Final = 1_024
_LONGEST: Final = 5
_BETA: Final = log(0.5) / log(1.5) ** 2
"""Makes the penalty 1/2 where the hypothesis has two thirds of the reference's words."""


def nist(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The information of the shared n-grams per n-gram of the hypothesis, summed over n = 1 to 5; 0 and more.

    An n-gram's information is log2(count of its first n − 1 words / count of itself). On a single pair the
    counts are the reference's own, as in nltk's `sentence_nist`, so that the value reaches about log2 of the
    reference's length. An n longer than the hypothesis, for which nltk fails, adds nothing; empty texts have
    0.
    """
    information = 0.0
    shorter: Ngrams = Ngrams({(): len(reference)})
    for total, counts, wanted in shared_ngrams(reference, hypothesis, _LONGEST):
        if not counts:
            break
        bits = sum(count * log2(shorter[ngram[:-1]] / wanted[ngram]) for ngram, count in counts.items())
        information += bits / total
        shorter = wanted
    return information * _penalty(len(reference), len(hypothesis))


def nist_similarity(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """NIST as a share of what the reference itself would get, at most 1.

    A reference that only repeats one word tells nothing by Doddington's measure: then 1 if the hypothesis is
    the same, else 0.
    """
    best = _own(tuple(reference))
    if best == 0.0:
        return float(len(reference) > 0 and list(reference) == list(hypothesis))
    return min(1.0, nist(reference, hypothesis) / best)


@lru_cache(_CACHED_TEXTS)
def _own(text: tuple[str, ...]) -> float:
    return nist(text, text)


def _penalty(wanted: int, given: int) -> float:
    if given >= wanted:
        return 1.0
    return exp(_BETA * log(given / wanted) ** 2) if given else 0.0
