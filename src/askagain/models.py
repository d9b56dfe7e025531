"""The rankers of trained models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askagain.encoders.folder import load_model
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import ModelError
from askagain.neighbours.ranker import VectorRanker
from askagain.ranker import Ranker
from askagain.rerank.ranker import JudgingRanker
from askagain.rerank.recipe import PairSystem
from askagain.rerank.reranker import RerankingRanker
from askagain.systems import TrainableSystem, load_system, make_ranker
from askagain.trained import require_model

if TYPE_CHECKING:
    from askagain.views import Views


def encoder_ranker(system: EncoderSystem, views: Views, folder: Path | None = None) -> Ranker:
    """The ranker of a trained encoder."""
    folder = require_model(views.archive.path, system.name, folder)
    model = load_model(folder)
    _check_name(model.name, system, folder)
    ranker = VectorRanker(system.name, views.vectors(model, system.search.method), model)
    if system.search.candidates == "vectors":
        return ranker
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


def _check_name(name: str, system: TrainableSystem, folder: Path) -> None:
    if name != system.name:
        raise ModelError(f"{folder} holds a model of {name}, not of {system.name}: name that system")


def _retriever(views: Views) -> Ranker:
    return make_ranker(load_system("bm25"), views)
