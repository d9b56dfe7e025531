"""Compiles the kernels that fuse lists, compare words and align titles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askagain.analysis import AnalyzerSettings
from askagain.encoders.vectors import Floats
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels.alignment import alignment_signals
from askagain.fusion.kernels.fusing import by_reciprocal_rank
from askagain.fusion.kernels.numbering import numbered
from askagain.fusion.kernels.places import in_lists
from askagain.fusion.lists import Lists
from askagain.fusion.wordsignals import word_signals
from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import similarity
from askagain.question import Question


def warm_up() -> None:
    """Compares two questions of one word; numba keeps what it compiles on the way."""
    lists = Lists.of_one(Question("usb"), [Question("usb")])
    stems, titles = numbered(QuestionReader(AnalyzerSettings()), lists.questions)
    weights = np.ones(len(stems.texts))
    by_reciprocal_rank(np.zeros(1, dtype=np.int64), np.arange(2), 1, np.zeros(1, dtype=np.int64), 1, 1)
    in_lists(weights, lists.starts)
    word_signals(lists, stems, weights)
    alignment_signals(titles, weights, _same, lists.arrays)
    index = LexicalIndex(("title", "body"))
    tokens = index.identities(stems.texts)[stems.numbers]
    documents = index.foreign_tokens(tokens, stems.starts)
    scoring = Scoring(similarity("bm25"), (1.0, 1.0))
    index.score_lists(lists.arrays, tokens, stems.starts, scoring, documents)


def _same(words: Sequence[str]) -> Floats:
    return np.ones((len(words), 2), dtype=np.float32)
