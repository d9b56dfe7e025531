"""Lexical candidates of questions: for lists to re-rank, and as negatives that are hard to tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from askagain.analysis import Analyzer
from askagain.encoders.texts import Rows
from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import Bm25
from askagain.question import Question


def bm25_candidates(questions: Sequence[Question], queries: Rows, k: int) -> NDArray[np.int64]:
    """For each query the rows of the k best other questions [queries, k]; -1 where there is none."""
    analyzer = Analyzer()
    terms = [(analyzer.terms(question.title), analyzer.terms(question.body)) for question in questions]
    index = LexicalIndex(["title", "body"])
    index.add((row, list(both)) for row, both in enumerate(terms))
    asked = [terms[row][0] + terms[row][1] for row in queries.tolist()]
    found = np.full((len(queries), k), -1, dtype=np.int64)
    for place, hits in enumerate(index.search(asked, Scoring(Bm25(), (1.0, 1.0)), k + 1)):
        others = hits.numbers[hits.numbers != queries[place]][:k]
        found[place, : len(others)] = others
    return found
