"""Questions as kernels get them."""

from askagain.analysis import AnalyzerSettings
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels.numbering import Stems, Titles, numbered
from askagain.question import Question

_READER = QuestionReader(AnalyzerSettings(stemmer="none"))


def read(*questions: Question) -> tuple[Stems, Titles]:
    """Every word is its own stem."""
    return numbered(_READER, questions)
