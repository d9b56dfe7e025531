"""The two kinds of encoding: vectors of questions, and features of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic

from askagain.cluster.encoding.folder import Arrays
from askagain.cluster.encoding.models import encoding_system, load, model_folder_of, sent
from askagain.cluster.encoding.pairs import QuestionPair
from askagain.cluster.encoding.parts import Part
from askagain.cluster.encoding.reading import Item, placed_pairs, placed_questions
from askagain.cluster.encoding.work import features_of, vectors_of
from askagain.question import Question
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.features.table import FEATURES, features_named
from askagain.sources.base import Progress, Skipped
from askagain.sources.rows import Row

ALL: Final = "all"


@dataclass(frozen=True)
class Encoding(Generic[Item]):
    """What is read of a source, what becomes of a part, and what describes the result.

    `shared` is what every worker needs for it.
    """

    settings: Mapping[str, Any]
    read: Callable[[Path, Progress], Iterator[Row[Item] | Skipped]]
    work: Callable[[Any, Part[Item]], Arrays]
    shared: Any


def vector_encoding(name: str, model: Path | None, sources: Sequence[Path]) -> Encoding[Question]:
    """The vectors of questions by the encoder of a system."""
    system = encoding_system(name)
    folder = model_folder_of(system, model, sources)
    loaded = load(system, folder)
    settings = {
        "kind": "vectors",
        "system": system.name,
        "model": loaded.identity,
        "dimension": loaded.dimension,
        "columns": loaded.columns,
    }
    return Encoding(settings, placed_questions, vectors_of, sent(system, folder, loaded.identity))


def feature_encoding(wanted: Sequence[str]) -> Encoding[QuestionPair]:
    """The features of pairs: by their names, by their kinds, or "all"."""
    names = list(dict.fromkeys(name for each in wanted for name in _names(each)))
    # What is missing for one of them shows here, and not on some worker.
    FeatureExtractor(names, {}).matrix(Question("a title"), [Question("another title")])
    return Encoding({"kind": "features", "features": names}, placed_pairs, features_of, names)


def _names(wanted: str) -> list[str]:
    several = [feature.name for feature in FEATURES if wanted in (ALL, feature.kind)]
    return several or [feature.name for feature in features_named([wanted])]
