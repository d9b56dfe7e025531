"""The engine: an archive and a system that searches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, get_args

from askagain.analysis import AnalyzerSettings
from askagain.archive import Archive
from askagain.closing import Closing
from askagain.errors import SettingsError
from askagain.lexical.recipe import LexicalSystem
from askagain.question import Match, Question
from askagain.ranker import CalibratedRanker, Ranker
from askagain.sources.base import Progress, no_progress
from askagain.systems import DEFAULT_SYSTEM, System, load_system, make_ranker
from askagain.trained import trained_system
from askagain.views import Views

if TYPE_CHECKING:
    from askagain.explanations.explainer import Explainer

Explain = Literal["none", "words", "all"]
"""How matches are explained: not at all, by the words of both questions, or by the ranker's reasons as well.

Words are compared in the same way for every system, in a few milliseconds. Reasons can take much longer.
"""


class Engine(Closing):
    """Finds the earlier questions that the same answer settles."""

    def __init__(
        self, archive: Archive, ranker: Ranker, views: Views, explainer: Explainer | None = None
    ) -> None:
        self.archive = archive
        self.ranker = ranker
        self.views = views
        self._explainer = explainer or explainer_of(views)

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
            ranker = make_ranker(recipe, views, Path(model) if model else None)
            return cls(archive, ranker, views, explainer_of(views, recipe))
        except BaseException:
            archive.close()
            raise

    def search(
        self,
        question: Question,
        k: int = 10,
        *,
        explain: Explain = "words",
        min_probability: float | None = None,
    ) -> list[Match]:
        """The k most similar questions of the archive, best first, each with an explanation.

        What is less likely a duplicate than `min_probability` is left out; without one, what is below the
        system's own threshold. A system without probabilities leaves nothing out.
        """
        if explain not in get_args(Explain):
            raise SettingsError(f"explain is {explain!r}: choose one of {', '.join(get_args(Explain))}")
        return self.told(question, self.ranker.search(question, k), explain, min_probability)

    def told(
        self,
        question: Question,
        found: Sequence[Match],
        explain: Explain = "words",
        min_probability: float | None = None,
    ) -> list[Match]:
        """Of what the ranker has found for a question, what is told about it."""
        least = self.threshold if min_probability is None else min_probability
        matches = [match for match in found if _likely(match, least)]
        if explain == "none":
            return matches
        if explain == "all":
            matches = [self._with_reasons(question, match) for match in matches]
        return self.explained(question, matches)

    def explained(self, question: Question, matches: Sequence[Match]) -> list[Match]:
        """Matches of a question with explanations by the words of both."""
        return self._explainer.explained(question, matches)

    def with_system(self, system: str | System) -> Engine:
        """Another system on the same archive and indexes; it must not be used after this engine is closed."""
        recipe = load_system(system) if isinstance(system, str) else system
        ranker = make_ranker(recipe, self.views)
        return Engine(self.archive, ranker, self.views, explainer_of(self.views, recipe))

    @property
    def threshold(self) -> float:
        """The probability below which matches are left out; 0 if the system has not learned one here."""
        ranker = self.ranker
        return ranker.threshold if isinstance(ranker, CalibratedRanker) and ranker.is_calibrated else 0.0

    def _with_reasons(self, question: Question, match: Match) -> Match:
        if match.question is None:
            return match
        return replace(match, reasons=tuple(self.ranker.explain(question, match.question)))

    def close(self) -> None:
        """Save what is worth it and close the archive."""
        self.views.close()
        self.archive.close()


def _likely(match: Match, least: float) -> bool:
    return match.probability is None or match.probability >= least


def explainer_of(views: Views, system: System | None = None) -> Explainer:
    """Knows words as the system's own index does, or else as that of bm25, in which most systems search."""
    # Imported here: arrays take a moment to load, which listing systems need not pay.
    from askagain.encoders.shipped import shipped_words
    from askagain.explanations.explainer import Explainer

    if isinstance(system, LexicalSystem):
        view = views.lexical(tuple(system.fields), system.analyzer)
    else:
        view = views.lexical(("title", "body"), AnalyzerSettings())
    return Explainer(view, shipped_words().units)
