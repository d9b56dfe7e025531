"""What the words and tags of two questions say about them: overlap, what is missing, numbers, lengths.

Words are compared by their stems, each of which has a weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.fusion.kernels.numbering import Stems
from askagain.fusion.kernels.words import compare_words
from askagain.question import Question
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


def word_signals(
    asked: Question, found: Sequence[Question], stems: Stems, weights: NDArray[np.float64]
) -> Matrix:
    """[candidates, signals], from the stems of all these questions and the weight of each.

    Not a number where a question lacks the body or the tags that would be compared.
    """
    signals = np.empty((len(found), len(WORD_SIGNALS)))
    compare_words(stems.numbers, stems.starts, weights, stems.has_digit, signals)
    signals[:, WORD_SIGNALS.index("tags")] = _tags_in_common(asked, found)
    return signals


def _tags_in_common(asked: Question, found: Sequence[Question]) -> list[float]:
    """Whatever their case."""
    mine = {tag.casefold() for tag in asked.tags}
    if not mine:
        return [UNKNOWN] * len(found)
    every = ({tag.casefold() for tag in question.tags} for question in found)
    return [len(mine & theirs) / len(mine | theirs) if theirs else UNKNOWN for theirs in every]
