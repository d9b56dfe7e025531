"""The views of one archive: each index is opened once, however many systems use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askagain.analysis import AnalyzerSettings
from askagain.archive import Archive
from askagain.sources.base import Progress, no_progress

if TYPE_CHECKING:
    from askagain.lexical.view import LexicalView


class Views:
    """Opens views when they are first needed; durable ones are kept in files beside the archive."""

    def __init__(self, archive: Archive, *, durable: bool = True, progress: Progress = no_progress) -> None:
        self.archive = archive
        self._durable = durable
        self._progress = progress
        self._lexical: dict[tuple[tuple[str, ...], AnalyzerSettings], LexicalView] = {}

    def lexical(self, fields: tuple[str, ...], settings: AnalyzerSettings) -> LexicalView:
        """The inverted index over these fields, with terms made by these settings."""
        from askagain.lexical.view import LexicalView

        key = (fields, settings)
        if key not in self._lexical:
            self._lexical[key] = LexicalView.open(
                self.archive, fields, settings, durable=self._durable, progress=self._progress
            )
        return self._lexical[key]

    def close(self) -> None:
        """Save what is worth it."""
        for view in self._lexical.values():
            view.close()
