"""The rankers of trained models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askagain.encoders.folder import load_model
from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.shipped import shipped_folder
from askagain.errors import ModelError
from askagain.fusion.recipe import FusedSystem
from askagain.neighbours.ranker import VectorRanker
from askagain.ranker import Ranker
from askagain.rerank.ranker import JudgingRanker
from askagain.rerank.recipe import PairSystem
from askagain.rerank.reranker import RerankingRanker
from askagain.systems import TrainableSystem, load_system, make_ranker
from askagain.trained import model_folder, require_model

if TYPE_CHECKING:
    from askagain.views import Views


def encoder_ranker(system: EncoderSystem, views: Views, folder: Path | None = None) -> Ranker:
    """The ranker of a trained encoder."""
    folder = require_model(views.archive.path, system.name, folder)
    model = load_model(folder)
    _check_name(model.name, system, folder)
    if system.search.candidates == "vectors":
        return VectorRanker(system.name, views.vectors(model, system.search.method), model)
    # Nothing is sought among its vectors: they need no lists.
    ranker = VectorRanker(system.name, views.vectors(model, "exact"), model)
    return RerankingRanker(system.name, _retriever(views), ranker, system.search.depth)


def judging_ranker(system: PairSystem, views: Views, folder: Path | None = None) -> Ranker:
    """The ranker of a trained judge of pairs."""
    from askagain.rerank.folder import load_judges
    from askagain.rerank.making import make_judge

    folder = require_model(views.archive.path, system.name, folder)
    trained, members = load_judges(folder)
    _check_name(trained.name, system, folder)
    judge = make_judge(trained, members, views, folder)
    return JudgingRanker(system.name, _retriever(views), judge, system.search.depth)


def fusing_ranker(system: FusedSystem, views: Views, folder: Path | None = None) -> Ranker:
    """The ranker of a fused system; without a model, as it was learned elsewhere."""
    from askagain.fusion.folder import load_fused
    from askagain.fusion.making import fused_ranker

    chosen = folder or model_folder(views.archive.path, system.name)
    if folder is None and not chosen.is_dir():
        # Its probabilities come from other forums: here they are defaults.
        return fused_ranker(load_fused(default_folder(system)).as_default(), views)
    fused = load_fused(chosen)
    _check_name(fused.system.name, system, chosen)
    return fused_ranker(fused, views)


def default_folder(system: FusedSystem) -> Path:
    """What a fused system has learned before it sees an archive."""
    folder = shipped_folder(system.name)
    if not folder.is_dir():
        raise ModelError(f"{system.name} has no model yet: make one with askagain train {system.name}")
    return folder


def ready_ranker(system: ReadySystem, views: Views) -> Ranker:
    """The ranker of an encoder that is there already."""
    from askagain.fusion import making

    return making.ready_ranker(system, views)


def _check_name(name: str, system: TrainableSystem, folder: Path) -> None:
    if name != system.name:
        raise ModelError(f"{folder} holds a model of {name}, not of {system.name}: name that system")


def _retriever(views: Views) -> Ranker:
    return make_ranker(load_system("bm25"), views)
