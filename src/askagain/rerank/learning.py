"""From a recipe and labelled lists to a trained judge in its folder."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from askagain.errors import SettingsError
from askagain.extras import check_torch
from askagain.modelfolder import check_replaceable
from askagain.rerank.data import PairData
from askagain.rerank.fit.bayes import fit_bayes
from askagain.rerank.fit.examples import examples_of
from askagain.rerank.fit.svm import fit_svm
from askagain.rerank.folder import Member, is_vote, save_judges
from askagain.rerank.judges.base import Learned
from askagain.rerank.making import extractor_of
from askagain.rerank.recipe import (
    DecompositionJudgeSettings,
    FeatureSettings,
    PairSystem,
    UnimelbJudgeSettings,
    VoteSettings,
)
from askagain.sources.base import Progress
from askagain.systems import load_system
from askagain.version import VERSION
from askagain.views import Views

if TYPE_CHECKING:
    from askagain.training.checkpoints import Epoch

NamedProgress = Callable[[str, int, int], None]
OnEpoch = Callable[["Epoch"], None]


def learn(
    system: PairSystem,
    data: PairData,
    views: Views,
    folder: Path,
    *,
    seed: int,
    on_epoch: OnEpoch,
    progress: NamedProgress,
) -> Path:
    """Teaches a system from lists and writes its model folder.

    The archive of the views holds the candidates: lexical features count words in it.
    """
    check_replaceable(folder)
    members = [
        Member(member, _learned(member, data, views, seed, on_epoch, partial(progress, member.name)))
        for member in judges_of(system)
    ]
    save_judges(folder, system, members, _card(system, members, data, seed))
    return folder


def judges_of(system: PairSystem) -> list[PairSystem]:
    """The system itself, or those that vote in it."""
    if not isinstance(system.judge, VoteSettings):
        return [system]
    members = [load_system(name) for name in system.judge.members]
    for member in members:
        if not isinstance(member, PairSystem) or is_vote(member):
            raise SettingsError(f"{system.name}: {member.name} cannot vote: it does not judge pairs itself")
    return [member for member in members if isinstance(member, PairSystem)]


def identity_of(system: PairSystem, data: PairData, seed: int) -> str:
    """Equal for trainings that end with the same model."""
    tables = [each.to_table() for each in (system, *judges_of(system))]
    return sha256(json.dumps([tables, data.hash, seed], sort_keys=True).encode()).hexdigest()


def _learned(
    system: PairSystem, data: PairData, views: Views, seed: int, on_epoch: OnEpoch, progress: Progress
) -> Learned:
    settings = system.judge
    if isinstance(settings, FeatureSettings):
        examples = examples_of(extractor_of(settings.features, views), data.lists, progress)
        if settings.method == "naive-bayes":
            return fit_bayes(examples)
        return fit_svm(examples, settings, seed)
    if isinstance(settings, VoteSettings):
        raise SettingsError(f"{system.name} is a vote and learns nothing itself")
    return _learned_network(settings, data, views, seed, on_epoch, progress)


def _learned_network(
    settings: UnimelbJudgeSettings | DecompositionJudgeSettings,
    data: PairData,
    views: Views,
    seed: int,
    on_epoch: OnEpoch,
    progress: Progress,
) -> Learned:
    check_torch("this system", "neural,features")
    from askagain.rerank.fit.networks import fit_network, questions_of
    from askagain.rerank.fit.words import word_vectors
    from askagain.rerank.networks import reader_of

    vectors = word_vectors(settings.words, questions_of(data.lists), seed, progress)
    reader = reader_of(settings, vectors, progress)
    extractor = extractor_of(settings.features, views)
    return fit_network(data.lists, settings, reader, extractor, seed, on_epoch, progress)


def _card(system: PairSystem, members: Sequence[Member], data: PairData, seed: int) -> str:
    pairs = sum(len(list_.candidates) for list_ in data.lists)
    duplicates = sum(bool(entry.relevant) for list_ in data.lists for entry in list_.candidates)
    settings = {"system": system.to_table()} | {
        member.system.name: member.system.to_table() for member in members if is_vote(system)
    }
    return "\n".join([
        f"# {system.name}", "",
        system.description, "",
        "## Data", "",
        f"- source: {data.source or 'lists given by a program'}",
        f"- lists: {len(data.lists):,}, with {pairs:,} pairs, of which {duplicates:,} are duplicates",
        f"- SHA-256 of the data: {data.hash}",
        f"- seed: {seed}",
        f"- made with: askagain {VERSION}, Python {platform.python_version()}", "",
        "## Settings", "",
        "```toml", tomli_w.dumps(settings).strip(), "```", "",
    ])  # fmt: skip
