"""The rankers of trained models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askagain.encoders.folder import load_model
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import ModelError
from askagain.neighbours.ranker import VectorRanker
from askagain.ranker import Ranker
from askagain.rerank.reranker import RerankingRanker
from askagain.trained import require_model

if TYPE_CHECKING:
    from askagain.views import Views


def encoder_ranker(system: EncoderSystem, views: Views, folder: Path | None = None) -> Ranker:
    """The ranker of a trained system."""
    folder = require_model(views.archive.path, system.name, folder)
    model = load_model(folder)
    if model.name != system.name:
        raise ModelError(f"{folder} holds a model of {model.name}, not of {system.name}: name that system")
    ranker = VectorRanker(system.name, views.vectors(model, system.search.method), model)
    if system.search.candidates == "vectors":
        return ranker
    from askagain.systems import load_system, make_ranker

    return RerankingRanker(system.name, make_ranker(load_system("bm25"), views), ranker, system.search.depth)
