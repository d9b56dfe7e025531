"""askagain finds the earlier questions that the same answer settles."""

from askagain.archive import Archive
from askagain.engine import Engine
from askagain.question import Mark, Match, Question, Reason, Verdict
from askagain.version import VERSION

__all__ = ["Archive", "Engine", "Mark", "Match", "Question", "Reason", "Verdict", "__version__"]

__version__ = VERSION
