"""askagain finds the earlier questions that the same answer settles."""

from askagain.archive import Archive
from askagain.engine import Engine
from askagain.question import Explanation, Mark, Match, Question, Reason, Verdict
from askagain.version import VERSION

__all__ = [
    "Archive",
    "Engine",
    "Explanation",
    "Mark",
    "Match",
    "Question",
    "Reason",
    "Verdict",
    "__version__",
]

__version__ = VERSION
