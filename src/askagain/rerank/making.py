"""Judges from what they have learned."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from askagain.encoders.weightfile import Arrays
from askagain.encoders.wordvectors import WordVectors
from askagain.errors import ModelError, SettingsError
from askagain.extras import check_torch
from askagain.modelfolder import REMEDY
from askagain.ranker import Ranker
from askagain.rerank.arrays import check_arrays
from askagain.rerank.extraction import FeatureExtractor
from askagain.rerank.features.table import FEATURES
from askagain.rerank.folder import Member
from askagain.rerank.judges.base import Judge, Learned
from askagain.rerank.judges.bayes import BayesJudge
from askagain.rerank.judges.labelling import LabellingJudge
from askagain.rerank.judges.linear import LinearJudge
from askagain.rerank.judges.vote import VoteJudge
from askagain.rerank.recipe import (
    DecompositionJudgeSettings,
    FeatureSettings,
    JudgeSettings,
    PairSystem,
    UnimelbJudgeSettings,
    VoteSettings,
)
from askagain.systems import LEXICAL_SYSTEMS, load_system, make_ranker
from askagain.views import Views


def make_judge(system: PairSystem, members: Sequence[Member], views: Views, folder: Path) -> Judge:
    """The judge of a trained system, over an archive whose statistics lexical features use."""
    judges = {member.system.name: _judge(member, views, folder) for member in members}
    if isinstance(system.judge, VoteSettings):
        return _as_it_says(system.judge, VoteJudge(judges))
    [judge] = judges.values()
    return judge


def _as_it_says(settings: JudgeSettings, judge: Judge) -> Judge:
    return LabellingJudge(judge) if settings.says == "labels" else judge


def _judge(member: Member, views: Views, folder: Path) -> Judge:
    settings, learned = member.system.judge, member.learned
    if isinstance(settings, VoteSettings):
        raise ModelError(f"{folder}: {member.system.name} is a vote within a vote; {REMEDY}")
    if isinstance(settings, FeatureSettings):
        judge = _feature_judge(settings, learned.arrays, views, folder)
    else:
        judge = _network_judge(settings, learned, views, folder)
    return _as_it_says(settings, judge)


def _network_judge(
    settings: UnimelbJudgeSettings | DecompositionJudgeSettings, learned: Learned, views: Views, folder: Path
) -> Judge:
    # Imported here: torch takes seconds to load, and most judges do without.
    check_torch("this system", "neural,features")
    from askagain.rerank import networks

    matrix = learned.arrays.get("words")
    if matrix is None or matrix.ndim != 2 or len(matrix) != len(learned.words):
        raise ModelError(f"{folder}: the vectors of the words are missing or damaged; {REMEDY}")
    vectors = WordVectors(learned.words, matrix)
    try:
        reader, extractor = networks.reader_of(settings, vectors), extractor_of(settings.features, views)
        if isinstance(settings, UnimelbJudgeSettings):
            return networks.unimelb_judge(settings, learned, reader, extractor)
        return networks.decomposition_judge(settings, learned, reader, extractor)
    except ValueError as error:
        raise ModelError(f"{folder}: the weights do not fit the settings: {error}; {REMEDY}") from error


def _feature_judge(settings: FeatureSettings, arrays: Arrays, views: Views, folder: Path) -> Judge:
    extractor = extractor_of(settings.features, views)
    count = len(extractor.names)
    if settings.method == "naive-bayes":
        check_arrays(arrays, {"means": (2, count), "variances": (2, count), "prior": (1,)}, folder)
        return BayesJudge(extractor, arrays)
    shapes = {"mean": (count,), "scale": (count,), "weights": (count,), "bias": (1,), "threshold": (1,)}
    check_arrays(arrays, shapes, folder)
    return LinearJudge(extractor, arrays)


def extractor_of(patterns: Sequence[str], views: Views) -> FeatureExtractor:
    """The features that a recipe names, one by one, by their kind, or with `*` for anything."""
    names = [name for pattern in patterns for name in _matching(pattern)]
    return FeatureExtractor(list(dict.fromkeys(names)), lexical_rankers(names, views))


def _matching(pattern: str) -> list[str]:
    if "*" not in pattern:
        return [feature.name for feature in FEATURES if feature.kind == pattern] or [pattern]
    found = [feature.name for feature in FEATURES if fnmatchcase(feature.name, pattern)]
    if not found:
        raise SettingsError(f'no feature is named like {pattern!r}: "askagain features A B" lists them')
    return found


def lexical_rankers(names: Sequence[str], views: Views) -> dict[str, Ranker]:
    """Those of the lexical systems that are among the names."""
    return {name: make_ranker(load_system(name), views) for name in LEXICAL_SYSTEMS if name in names}
