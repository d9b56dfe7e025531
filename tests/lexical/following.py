"""The check for the crash driver: a saved lexical view catches up after every crash."""

from itertools import islice

from crashing import LossError
from fresh import difference

from askagain.archive import Archive
from askagain.lexical.view import LexicalView


class LexicalFollower:
    """Opens the view's file after each crash; the view must then answer as a fresh index does."""

    def __init__(self) -> None:
        self.loaded = 0

    def __call__(self, archive: Archive) -> None:
        steps: list[int] = []
        view = LexicalView.open(archive, progress=lambda done, total: steps.append(total))
        # An index that is built anew reads all changes, one that was loaded only the latest ones.
        self.loaded += archive.sequence.seq not in steps
        # A term that all of the driver's questions have, and those of single questions.
        queries = [
            ["titl"],
            *(view.query_terms(question)[:20] for question in islice(archive.questions(), 5)),
        ]
        if (wrong := difference(view, queries)) is not None:
            raise LossError(f"the lexical view did not catch up: {wrong}")
