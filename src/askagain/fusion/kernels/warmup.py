"""Compiles the kernels that compare words and align titles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askagain.analysis import AnalyzerSettings
from askagain.encoders.vectors import Floats
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels.alignment import alignment_signals
from askagain.fusion.kernels.numbering import numbered
from askagain.fusion.wordsignals import word_signals
from askagain.question import Question


def warm_up() -> None:
    """Compares two questions of one word; numba keeps what it compiles on the way."""
    question = Question("usb")
    stems, titles = numbered(QuestionReader(AnalyzerSettings()), [question, question])
    weights = np.ones(len(stems.texts))
    word_signals(question, [question], stems, weights)
    alignment_signals(titles, weights, _same)


def _same(words: Sequence[str]) -> Floats:
    return np.ones((len(words), 2), dtype=np.float32)
