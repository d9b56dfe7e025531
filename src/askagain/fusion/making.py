"""A fused ranker from what it has learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from askagain.encoders.folder import load_model
from askagain.encoders.model import Model
from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem
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
from askagain.systems import ENCODER_SYSTEMS, lexical_ranker, load_system
from askagain.views import Views

if TYPE_CHECKING:
    from askagain.rerank.extraction import FeatureExtractor

_LEXICAL = ("bm25", "tfidf")


def fused_ranker(fused: Fused, views: Views) -> FusedRanker:
    """The ranker of a trained system over an archive."""
    gatherer = gatherer_of(fused.system, views, fused.encoders)
    if gatherer.signals.names != fused.judge.names:
        raise ModelError(
            f"{fused.system.name} has learned from other signals than this askagain has; {REMEDY}"
        )
    return FusedRanker(fused.system.name, gatherer, fused.judge)


def gatherer_of(system: FusedSystem, views: Views, learned: Mapping[str, Path]) -> Gatherer:
    """Candidates and signals of a system; `learned` has the folders of encoders that learned from marks."""
    lexical = {name: _lexical(name, views) for name in _LEXICAL}
    encoders = {name: _encoder(name, views, learned.get(name)) for name in system.fusion.encoders}
    bm25 = lexical["bm25"]
    signals = Signals(
        bm25.view,
        {name: ranker.scoring for name, ranker in lexical.items()},
        list(encoders),
        shipped_words().units,
        _extractor(system.fusion.features, views),
    )
    return Gatherer(bm25, encoders, signals, system.fusion.depth)


def fusible_system(name: str) -> ReadySystem | EncoderSystem:
    """A system with an encoder, by its name or recipe."""
    system = load_system(name)
    if not isinstance(system, ReadySystem | EncoderSystem):
        raise SettingsError(
            f"{name} cannot be fused: choose from shipped, minilm, {', '.join(ENCODER_SYSTEMS)}, or a recipe "
            "with [ready] or [[parts]]"
        )
    return system


def fusible_model(name: str, folder: Path | None) -> Model | SentenceModel:
    """The encoder of such a system; `folder` has what it has learned."""
    system = fusible_system(name)
    if isinstance(system, ReadySystem):
        return ready_model(system, folder)
    if folder is None:
        raise ModelError(f"{name} has not learned from this forum yet: train the system that it is fused in")
    return load_model(folder)


def _encoder(name: str, views: Views, folder: Path | None) -> VectorRanker:
    model = fusible_model(name, folder)
    return VectorRanker(name, views.vectors(model, fusible_system(name).search.method), model)


def _extractor(patterns: Sequence[str], views: Views) -> FeatureExtractor | None:
    if not patterns:
        return None
    # Imported here: measures of pairs take a moment to load, which no search by the default system needs.
    from askagain.rerank.making import extractor_of

    return extractor_of(patterns, views)


def ready_ranker(system: ReadySystem, views: Views) -> VectorRanker:
    """The ranker of a ready encoder."""
    model = ready_model(system)
    return VectorRanker(system.name, views.vectors(model, system.search.method), model)


def ready_model(system: ReadySystem, folder: Path | None = None) -> Model | SentenceModel:
    """The encoder itself, or the one that a folder has in its place."""
    if system.ready.kind == "shipped":
        return shipped_encoder()
    check_transformer(f"system {system.name}")
    own = Path(system.ready.folder) if system.ready.folder else None
    return load_sentences(folder or own)


def _lexical(name: str, views: Views) -> LexicalRanker:
    system = load_system(name)
    assert isinstance(system, LexicalSystem)
    return lexical_ranker(system, views)
