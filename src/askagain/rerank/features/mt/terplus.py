"""TER-Plus (Snover et al. 2009): TER that sees stems, synonyms and phrases as near matches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.jit import Array, compiled
from askagain.rerank.features.mt.lexicon import Words, described, synonyms
from askagain.rerank.features.mt.phrases import phrases
from askagain.rerank.features.mt.shifts import MATCH, MOST_TRIALS, UNIT, shift_and_edit
from askagain.rerank.features.mt.ter import MOST_WORDS, exact_search
from askagain.rerank.features.wordnet import synsets

_CACHED_TEXTS: Final = 256
_STEM: Final = UNIT // 10
_SYNONYM: Final = UNIT // 5
_PHRASE: Final = UNIT // 5


def ter_plus(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The cost of the edits that make the hypothesis the reference, per word of the reference; at most TER.

    Insertions, deletions, substitutions and shifts cost 1 as in TER. A word that has the same stem as the
    reference's (Porter's) costs 0.1, one that shares a synset with it 0.2, and so does a phrase that shares
    one with the reference's word or phrase. Shifted blocks may match by stems and synonyms. Where that
    search, which is greedy, does worse than one for exact matches alone, the latter's shifts are made.

    Differences from the original: its phrases come from a table of automatically found paraphrases with
    probabilities, ours are WordNet's lemmas of two to four words, all at one cost, and not shifted as such;
    its costs are tuned on human judgements of translations, ours are set by hand, because questions are not
    translations and a learner weighs the value anyway; it does not shift stop words alone, we do as TER does.
    Texts are cut and empty ones treated as in TER.
    """
    if not reference or not hypothesis:
        return float(len(reference) != len(hypothesis))
    wanted, given = tuple(reference[:MOST_WORDS]), tuple(hypothesis[:MOST_WORDS])
    exact = exact_search(wanted, given)
    pairs = _phrase_pairs(wanted, given)
    savings, relaxed = all_savings(described(given), described(wanted))
    if not relaxed and not len(pairs):
        return exact.edits / len(wanted)
    shifts, cost = shift_and_edit(np.arange(len(given)), savings, pairs, 0)
    _, exact_cost = shift_and_edit(exact.order, savings, pairs, MOST_TRIALS)
    return min(shifts + cost / UNIT, exact.shifts + exact_cost / UNIT) / len(wanted)


def ter_plus_similarity(reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """1 / (1 + TER-Plus): 1 for the same text, towards 0 the more there is to edit."""
    return 1 / (1 + ter_plus(reference, hypothesis))


def _phrase_pairs(wanted: tuple[str, ...], given: tuple[str, ...]) -> NDArray[np.int64]:
    """(start, words, start in the reference, words, saving) where a phrase is on one side at least."""
    theirs, ours = phrases(wanted), phrases(given)
    rows = [
        (phrase.start, phrase.words, other.start, other.words)
        for phrase in ours
        for other in theirs
        if not phrase.meanings.isdisjoint(other.meanings)
    ]
    for phrase in ours:
        rows += [(phrase.start, phrase.words, place, 1) for place in _words_like(phrase.meanings, wanted)]
    for phrase in theirs:
        rows += [(place, 1, phrase.start, phrase.words) for place in _words_like(phrase.meanings, given)]
    saved = [(*row, (row[1] + row[3]) * UNIT - _PHRASE) for row in rows]
    return np.array(saved, dtype=np.int64).reshape(-1, 5)


def _words_like(meanings: frozenset[int], words: tuple[str, ...]) -> list[int]:
    if meanings.isdisjoint(_all_meanings(words)):
        return []
    return [place for place, word in enumerate(words) if not meanings.isdisjoint(synsets(word))]


@lru_cache(_CACHED_TEXTS)
def _all_meanings(words: tuple[str, ...]) -> frozenset[int]:
    return frozenset().union(*map(synsets, words))


def all_savings(given: Words, wanted: Words) -> tuple[Array, bool]:
    """What putting each word in the place of each other saves, and whether any of it is more than in TER."""
    texts = given.words, given.stems, wanted.words, wanted.stems
    return _savings(*texts, synonyms(given, wanted))


@compiled
def _savings(
    given: Array, stems: Array, wanted: Array, wanted_stems: Array, same_meaning: Array
) -> tuple[Array, bool]:
    savings = np.full((len(given), len(wanted)), UNIT, dtype=np.int32)
    relaxed = False
    for i in range(len(given)):
        for j in range(len(wanted)):
            if given[i] == wanted[j]:
                savings[i, j] = MATCH
            elif stems[i] == wanted_stems[j]:
                savings[i, j] = MATCH - _STEM
                relaxed = True
            elif same_meaning[i, j]:
                savings[i, j] = MATCH - _SYNONYM
                relaxed = True
    return savings, relaxed
