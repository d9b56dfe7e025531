"""MaxSim (Chan and Ng 2008): n-grams of two texts matched one to one so that their similarity is greatest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from askagain.errors import MissingExtraError
from askagain.jit import Array, compiled
from askagain.rerank.features.mt.lexicon import Words, described, synonyms

MOST_WORDS: Final = 100
"""Of a longer text the rest is not read: matching takes cubic time."""

_LONGEST: Final = 3
_ALPHA: Final = 0.9
_HALF: Final = 1
_FULL: Final = 2


def maxsim(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The mean of the F scores of matched unigrams, bigrams and trigrams; 0 to 1, 1 for the same text.

    For each n, the n-grams of the two texts are matched one to one: first those with the same lemmas and the
    same parts of speech, then those with the same lemmas, each match counting 1; then the rest so that the
    sum of their similarities is greatest. Two words are similar by ½ for the same part of speech plus ½ for a
    common synset or the same lemma, two n-grams by the mean over their words, or 0 if two of their words are
    not similar at all. With the sum M of a n's matches, P = M / n-grams of the hypothesis, R = M / n-grams of
    the reference, F = PR / (0.9 P + 0.1 R). An n that is longer than both texts does not count.

    Differences from the original: lemmas and parts of speech are those that WordNet's tagged texts have most
    often for the word, with a list of closed classes, instead of a tagger's; dependency relations, the
    original's second version, are left out. Texts are cut at 100 words. An empty text has 0.
    """
    if not reference or not hypothesis:
        return 0.0
    return mean_score(described(tuple(reference[:MOST_WORDS])), described(tuple(hypothesis[:MOST_WORDS])))


def mean_score(wanted: Words, given: Words) -> float:
    """The mean of the F scores, over the lengths of n-grams."""
    similarities = _similarities(
        given.lemmas, given.parts, wanted.lemmas, wanted.parts, synonyms(given, wanted)
    )
    scores = []
    for size in range(1, min(_LONGEST, max(similarities.shape)) + 1):
        ours, theirs = similarities.shape[0] - size + 1, similarities.shape[1] - size + 1
        matched = _matched(given, wanted, similarities, size) if min(ours, theirs) > 0 else 0.0
        scores.append(_f_score(matched / ours, matched / theirs) if matched else 0.0)
    return sum(scores) / len(scores)


def _f_score(precision: float, recall: float) -> float:
    return precision * recall / (_ALPHA * precision + (1 - _ALPHA) * recall)


def _matched(given: Words, wanted: Words, similarities: Array, size: int) -> float:
    """The sum of the similarities of matched n-grams."""
    texts = (given.lemmas, given.parts, wanted.lemmas, wanted.parts)
    equal, weights = _equal_and_rest(*texts, similarities, size)
    return equal + _greatest_sum(weights) / (_FULL * size)


def _greatest_sum(weights: Array) -> float:
    """The greatest sum of entries no two of which share a row or a column."""
    if min(weights.shape) <= 1:
        return float(weights.max(initial=0))
    try:
        from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtraError("MaxSim needs scipy: pip install 'askagain[features]'") from error
    return float(weights[linear_sum_assignment(weights, maximize=True)].sum())


@compiled
def _similarities(
    lemmas: Array, parts: Array, wanted_lemmas: Array, wanted_parts: Array, same_meaning: Array
) -> Array:
    """Of each two words, in halves."""
    similarities = np.zeros(same_meaning.shape, dtype=np.int64)
    for i in range(len(lemmas)):
        for j in range(len(wanted_lemmas)):
            if parts[i] == wanted_parts[j]:
                similarities[i, j] = _HALF
            if same_meaning[i, j] or lemmas[i] == wanted_lemmas[j]:
                similarities[i, j] += _HALF
    return similarities


@compiled
def _equal_and_rest(
    lemmas: Array, parts: Array, wanted_lemmas: Array, wanted_parts: Array, similarities: Array, size: int
) -> tuple[int, Array]:
    """How many n-grams match by lemmas, and the similarities of the others, where there is any, in halves."""
    free = np.ones(len(lemmas) - size + 1, dtype=np.bool_)
    wanted_free = np.ones(len(wanted_lemmas) - size + 1, dtype=np.bool_)
    equal = 0
    for with_parts in (True, False):
        for i in range(len(free)):
            for j in range(len(wanted_free)):
                if (
                    free[i]
                    and wanted_free[j]
                    and _same(lemmas, i, wanted_lemmas, j, size)
                    and (not with_parts or _same(parts, i, wanted_parts, j, size))
                ):
                    free[i] = wanted_free[j] = False
                    equal += 1
    weights = np.zeros((len(free), len(wanted_free)), dtype=np.int64)
    for i in range(len(free)):
        for j in range(len(wanted_free)):
            if free[i] and wanted_free[j]:
                weights[i, j] = _similarity(similarities, i, j, size)
    rows, columns = np.flatnonzero(weights.sum(axis=1)), np.flatnonzero(weights.sum(axis=0))
    return equal, weights[rows][:, columns]


@compiled
def _same(first: Array, i: int, second: Array, j: int, size: int) -> bool:
    place = 0
    while place < size and first[i + place] == second[j + place]:
        place += 1
    return place == size


@compiled
def _similarity(similarities: Array, i: int, j: int, size: int) -> int:
    """The sum over the words of two n-grams, or 0."""
    total = 0
    for place in range(size):
        if not similarities[i + place, j + place]:
            return 0
        total += similarities[i + place, j + place]
    return total
