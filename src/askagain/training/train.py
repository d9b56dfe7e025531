"""From a recipe and data to a model folder: word vectors, pre-training, fine-tuning."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

from askagain.encoders.folder import save_model
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.shipped import SHIPPED_WORDS, shipped_encoder
from askagain.errors import TrainingError
from askagain.modelfolder import check_replaceable
from askagain.training import finetune, pretrain
from askagain.training.batches import teaches
from askagain.training.card import model_card, without_folders
from askagain.training.checkpoints import Checkpoint, Standing
from askagain.training.curve import learning_curve
from askagain.training.data import TrainingData
from askagain.training.dev import DevMeasure, measure_of
from askagain.training.finetune import OnEpoch, no_report
from askagain.training.keptvectors import KeptVectors
from askagain.training.learner import Learner

NamedProgress = Callable[[str, int, int], None]

_USEFUL_AT_ONCE: Final = ("bow", "average")


def _no_progress(what: str, done: int, total: int) -> None:
    """Shows nothing."""


class Measured(NamedTuple):
    """What a model gets on the dev set, and BM25 on the same: MRR in percent."""

    model: float
    bm25: float


def _no_measure(measured: Measured) -> None:
    """Tells nobody."""


def identity_of(system: EncoderSystem, data: TrainingData, seed: int) -> str:
    """Equal for trainings that end with the same model, wherever their files are."""
    every = [file for part in system.parts for file in (*part.words.files, part.words.start)]
    files = [file for file in every if file]
    told = json.dumps(
        [without_folders(system.to_table()), data.hash, seed, list(map(_checksum, files))], sort_keys=True
    )
    return sha256(told.encode()).hexdigest()


def _checksum(path: str) -> str:
    if path == SHIPPED_WORDS:
        return shipped_encoder().identity
    try:
        with Path(path).open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise TrainingError(f"cannot read the word vectors in {path}: {error.strerror}") from error


def train(
    system: EncoderSystem,
    data: TrainingData,
    folder: Path,
    *,
    seed: int = 0,
    on_epoch: OnEpoch = no_report,
    progress: NamedProgress = _no_progress,
    on_measured: Callable[[Measured], None] = _no_measure,
) -> Path:
    """Trains a system and writes its model folder.

    After an interruption the same call goes on from the last whole epoch, with the same result.
    """
    if not data.questions:
        raise TrainingError("there are no questions to learn from: import some first")
    _check_lessons(system, data)
    identity = identity_of(system, data, seed)
    check_replaceable(folder)
    work = folder.resolve().parent / f"{folder.resolve().name}.training"
    kept = [KeptVectors(work / f"words{number}", identity) for number in range(len(system.parts))]
    learner = Learner.start(system, data.questions, seed, partial(progress, "word vectors"), kept)
    measure = measure_of(system, data, seed)
    standings: dict[str, Standing] = {}
    for phase, teach in ((pretrain.PHASE, pretrain.pretrain), (finetune.PHASE, finetune.finetune)):
        if phase == pretrain.PHASE and system.pretraining is None:
            continue
        standings[phase] = teach(
            learner, data, seed, measure=measure, on_epoch=on_epoch, progress=partial(progress, phase),
            checkpoint=Checkpoint(work / f"{_file_name(phase)}.safetensors", identity),
        )  # fmt: skip
    pictures = {
        f"{_file_name(phase)}.svg": learning_curve(f"{system.name}: {phase}", standing.epochs)
        for phase, standing in standings.items()
        if standing.epochs
    }
    measured = _measured(learner, data, measure)
    card = model_card(system, data, seed, standings, measured, list(pictures))
    vocabularies = [part.vocabulary for part in learner.parts]
    save_model(folder, system, vocabularies, learner.weights(), card, pictures)
    shutil.rmtree(work, ignore_errors=True)
    if measured is not None:
        on_measured(measured)
    return folder


def _check_lessons(system: EncoderSystem, data: TrainingData) -> None:
    """Some networks are good for nothing before they have learned."""
    of_words = any(part.kind in _USEFUL_AT_ONCE for part in system.parts)
    if of_words or system.pretraining is not None or teaches(data, system.training):
        return
    raise TrainingError(
        f"{system.name} learns from marked duplicates alone, of two different questions at least, and there "
        "are too few: mark some, or train bow-cnn or rcnn-pretrained, which learn from the text as well"
    )


def _file_name(phase: str) -> str:
    return phase.replace("-", "")


def _measured(learner: Learner, data: TrainingData, measure: DevMeasure | None) -> Measured | None:
    if measure is None:
        return None
    return Measured(measure.mrr(learner.kept_encoder(), learner.texts), measure.bm25(data.questions))
