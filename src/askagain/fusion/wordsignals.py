"""What the words and tags of two questions say about them: overlap, what is missing, numbers, lengths.

Words are compared by their stems, each of which has a weight.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.fusion.kernels.numbering import Stems
from askagain.fusion.kernels.words import compare_words
from askagain.fusion.lists import Lists
from askagain.rerank.matrix import Matrix

WORD_SIGNALS: Final = (
    "title.covered",  # the weight of what both titles have, as a share of the asked title's
    "title.covering",  # the same as a share of the found title's
    "title.jaccard",  # the same as a share of what either title has
    "title.pairs",  # how many pairs of neighbours both titles have, as a share of the fewer
    "title.same_start",  # whether the first words are the same
    "covered",  # the weight of the asked title's words that the other question has, as a share
    "covering",  # the same the other way round
    "missing",  # the weight of the heaviest word of the asked title that the other question lacks
    "extra",  # the same the other way round
    "numbers.missing",  # how many words with a digit of the asked title the other question lacks
    "numbers.extra",  # the same the other way round
    "body.overlap",  # the weight of what both bodies have, over the geometric mean of what each has
    "asked.length",  # ln(1 + words), of titles and of bodies
    "found.length",
    "asked.body_length",
    "found.body_length",
    "tags",  # how many tags both have, as a share of all
)
UNKNOWN: Final = math.nan


def word_signals(lists: Lists, stems: Stems, weights: NDArray[np.float64]) -> Matrix:
    """[found, signals], from the stems of all these questions and the weight of each.

    Not a number where a question lacks the body or the tags that would be compared.
    """
    signals = np.empty((len(lists.found), len(WORD_SIGNALS)))
    compare_words((stems.numbers, stems.starts), weights, stems.has_digit, lists.arrays, signals)
    signals[:, WORD_SIGNALS.index("tags")] = _tags_in_common(lists)
    return signals


def _tags_in_common(lists: Lists) -> Matrix:
    """Whatever their case."""
    shares = np.full(len(lists.found), UNKNOWN)
    if not any(question.tags for question in lists.questions):
        return shares
    tags = [frozenset(map(str.casefold, question.tags)) for question in lists.questions]
    for place, question in enumerate(lists.asked.tolist()):
        if mine := tags[question]:
            rows = slice(lists.starts[place], lists.starts[place + 1])
            every = (tags[found] for found in lists.found[rows].tolist())
            shares[rows] = [
                len(mine & theirs) / len(mine | theirs) if theirs else UNKNOWN for theirs in every
            ]
    return shares
