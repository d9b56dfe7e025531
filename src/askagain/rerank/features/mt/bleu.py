"""BLEU of one pair (Papineni et al. 2002): how many of the hypothesis' n-grams the reference has."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from askagain.rerank.features.mt.ngrams import shared_ngrams

_LONGEST: Final = 4


def bleu(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The geometric mean of the n-gram precisions, n = 1 to 4, times the penalty for brevity; 0 to 1.

    As sacrebleu's sentence BLEU, divided by 100: the k-th n for which nothing matches counts as if 1/2^k
    n-grams matched (exponential smoothing; Chen and Cherry 2014, method 3), an n longer than the hypothesis
    does not count (effective order), and texts without a common word, empty ones too, have 0.
    """
    logarithms = []
    unmatched = 0
    for total, counts, _ in shared_ngrams(reference, hypothesis, _LONGEST):
        if total == 0:
            break
        matching = float(sum(counts.values()))
        if not matching:
            unmatched += 1
            matching = 0.5**unmatched
        logarithms.append(log(matching / total))
    if not logarithms or unmatched == len(logarithms):
        return 0.0
    brevity = min(0.0, 1 - len(reference) / len(hypothesis))
    return exp(brevity + sum(logarithms) / len(logarithms))
