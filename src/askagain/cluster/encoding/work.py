"""What a worker does with a part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from askagain.cluster.encoding.folder import Arrays
from askagain.cluster.encoding.models import SentModel, received
from askagain.cluster.encoding.pairs import QuestionPair
from askagain.cluster.encoding.parts import Part
from askagain.neighbours.checks import checked
from askagain.question import Question
from askagain.rerank.extraction import FeatureExtractor


def vectors_of(sent: SentModel, part: Part[Question]) -> Arrays:
    """`dense` [questions, dimension], and the sparse arrays of `QuestionVectors` if the model has them."""
    model = received(sent)
    vectors = checked(model.encode(part.items), len(part.rows), model)
    if not model.columns:
        return {"dense": vectors.dense}
    return {
        "dense": vectors.dense,
        "columns": vectors.columns,
        "values": vectors.values,
        "offsets": vectors.offsets,
    }


def features_of(names: Sequence[str], part: Part[QuestionPair]) -> Arrays:
    """`features` [pairs, names]."""
    extractor = _extractor(tuple(names))
    rows = [extractor.matrix(pair.first, [pair.second]) for pair in part.items]
    return {"features": np.concatenate(rows)}


@lru_cache(maxsize=1)
def _extractor(names: tuple[str, ...]) -> FeatureExtractor:
    return FeatureExtractor(names, {})
