"""The engine: an archive and a system that searches it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Self

from askagain.archive import Archive
from askagain.closing import Closing
from askagain.question import Match, Question
from askagain.ranker import Ranker
from askagain.sources.base import Progress, no_progress
from askagain.systems import DEFAULT_SYSTEM, System, load_system, make_ranker
from askagain.trained import trained_system
from askagain.views import Views


class Engine(Closing):
    """Finds the earlier questions that the same answer settles."""

    def __init__(self, archive: Archive, ranker: Ranker, views: Views) -> None:
        self.archive = archive
        self.ranker = ranker
        self._views = views

    @classmethod
    def open(
        cls,
        path: str | Path,
        system: str | System | None = None,
        *,
        model: str | Path | None = None,
        create: bool = False,
        progress: Progress = no_progress,
    ) -> Self:
        """The archive at that path with a system, by name, recipe file or value; builds what is missing.

        Without a system it is the one last trained on the archive or chosen for it, or else the default one.
        A trainable system finds its model where `train` put it, or in the folder `model`.
        """
        chosen = system or trained_system(Path(path)) or DEFAULT_SYSTEM
        recipe = load_system(chosen) if isinstance(chosen, str) else chosen
        archive = Archive.open(path, create=create)
        try:
            views = Views(archive, progress=progress)
            return cls(archive, make_ranker(recipe, views, Path(model) if model else None), views)
        except BaseException:
            archive.close()
            raise

    def search(self, question: Question, k: int = 10, *, explain: bool = True) -> list[Match]:
        """The k most similar questions of the archive, best first, each with the reasons for its score."""
        matches = self.ranker.search(question, k)
        if not explain:
            return matches
        return [self._explained(question, match) for match in matches]

    def _explained(self, question: Question, match: Match) -> Match:
        if match.question is None:
            return match
        return replace(match, reasons=tuple(self.ranker.explain(question, match.question)))

    def close(self) -> None:
        """Save what is worth it and close the archive."""
        self._views.close()
        self.archive.close()
