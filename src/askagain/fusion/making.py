"""A fused ranker from what it has learned."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from askagain.encoders.model import Model
from askagain.encoders.ready import ReadySystem
from askagain.encoders.shipped import shipped_encoder, shipped_words
from askagain.encoders.transformer import SentenceModel, load_sentences
from askagain.errors import ModelError, SettingsError
from askagain.extras import check_transformer
from askagain.fusion.folder import Fused
from askagain.fusion.gathering import Gatherer
from askagain.fusion.ranker import FusedRanker
from askagain.fusion.recipe import FusedSystem
from askagain.fusion.signals import Signals
from askagain.lexical.ranker import LexicalRanker
from askagain.lexical.recipe import LexicalSystem
from askagain.modelfolder import REMEDY
from askagain.neighbours.ranker import VectorRanker
from askagain.systems import lexical_ranker, load_system
from askagain.views import Views

_LEXICAL = ("bm25", "tfidf")


def fused_ranker(fused: Fused, views: Views) -> FusedRanker:
    """The ranker of a trained system over an archive."""
    gatherer = gatherer_of(fused.system, views, fused.encoders)
    if gatherer.signals.names != fused.judge.names:
        raise ModelError(
            f"{fused.system.name} has learned from other signals than this askagain has; {REMEDY}"
        )
    return FusedRanker(fused.system.name, gatherer, fused.judge)


def gatherer_of(system: FusedSystem, views: Views, tuned: Mapping[str, Path]) -> Gatherer:
    """Candidates and signals of a system; `tuned` has the folders of encoders that learned from marks."""
    lexical = {name: _lexical(name, views) for name in _LEXICAL}
    encoders = {
        name: ready_ranker(ready_system(name), views, tuned.get(name)) for name in system.fusion.encoders
    }
    bm25 = lexical["bm25"]
    signals = Signals(
        bm25.view,
        {name: ranker.scoring for name, ranker in lexical.items()},
        list(encoders),
        shipped_words().units,
    )
    return Gatherer(bm25, encoders, signals, system.fusion.depth)


def ready_system(name: str) -> ReadySystem:
    """A ready system by its name or recipe."""
    system = load_system(name)
    if not isinstance(system, ReadySystem):
        raise SettingsError(f"{name} cannot be fused: choose from shipped, minilm, or a recipe with [ready]")
    return system


def ready_ranker(system: ReadySystem, views: Views, folder: Path | None = None) -> VectorRanker:
    """The ranker of a ready encoder, or of the one that a folder has in its place."""
    model = ready_model(system, folder)
    return VectorRanker(system.name, views.vectors(model, system.search.method), model)


def ready_model(system: ReadySystem, folder: Path | None = None) -> Model | SentenceModel:
    """The encoder itself."""
    if system.ready.kind == "shipped":
        return shipped_encoder()
    check_transformer(f"system {system.name}")
    own = Path(system.ready.folder) if system.ready.folder else None
    return load_sentences(folder or own)


def _lexical(name: str, views: Views) -> LexicalRanker:
    system = load_system(name)
    assert isinstance(system, LexicalSystem)
    return lexical_ranker(system, views)
