"""The views of one archive: each index is opened once, however many systems use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askagain.analysis import AnalyzerSettings
from askagain.archive import Archive
from askagain.errors import SettingsError
from askagain.sources.base import Progress, no_progress

if TYPE_CHECKING:
    from askagain.encoders.vectors import VectorModel
    from askagain.lexical.view import LexicalView
    from askagain.neighbours.search import Method
    from askagain.neighbours.view import VectorView


LexicalKey = tuple[tuple[str, ...], AnalyzerSettings]
"""What tells the inverted indexes of an archive apart: their fields, and how terms are made."""


class Views:
    """Opens views when they are first needed; durable ones are kept in files beside the archive."""

    def __init__(self, archive: Archive, *, durable: bool = True, progress: Progress = no_progress) -> None:
        self.archive = archive
        self._durable = durable
        self._progress = progress
        self._lexical: dict[LexicalKey, LexicalView] = {}
        self._vectors: dict[str, VectorView] = {}

    def lexical(self, fields: tuple[str, ...], settings: AnalyzerSettings) -> LexicalView:
        """The inverted index over these fields, with terms made by these settings."""
        from askagain.lexical.view import LexicalView

        key = (fields, settings)
        if key not in self._lexical:
            self._lexical[key] = LexicalView.open(
                self.archive, fields, settings, durable=self._durable, progress=self._progress
            )
        return self._lexical[key]

    def vectors(self, model: VectorModel, method: Method = "auto") -> VectorView:
        """The vectors that a model gives; they are searched by the method that was asked for first."""
        from askagain.neighbours.view import VectorView

        if model.identity not in self._vectors:
            self._vectors[model.identity] = VectorView.open(
                self.archive, model, durable=self._durable, method=method, progress=self._progress
            )
        return self._vectors[model.identity]

    def lexical_keys(self) -> list[LexicalKey]:
        """Of the inverted indexes that are open."""
        return list(self._lexical)

    def vectors_of(self, identity: str) -> VectorView:
        """The vectors of a model that is in use, by its identity."""
        if identity not in self._vectors:
            raise SettingsError(f"{self.archive.path} has no vectors of the model {identity[:60]}")
        return self._vectors[identity]

    def close(self) -> None:
        """Save what is worth it."""
        for view in (*self._lexical.values(), *self._vectors.values()):
            view.close()
