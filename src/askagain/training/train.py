"""From a recipe and data to a model folder: word vectors, pre-training, fine-tuning."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path

from askagain.encoders.folder import save_model
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import TrainingError
from askagain.training import finetune, pretrain
from askagain.training.card import model_card
from askagain.training.checkpoints import Checkpoint, Standing
from askagain.training.curve import learning_curve
from askagain.training.data import TrainingData
from askagain.training.finetune import OnEpoch, no_report
from askagain.training.learner import Learner

NamedProgress = Callable[[str, int, int], None]


def _no_progress(what: str, done: int, total: int) -> None:
    """Shows nothing."""


def identity_of(system: EncoderSystem, data: TrainingData, seed: int) -> str:
    """Equal for trainings that end with the same model."""
    files = [file for part in system.parts for file in part.words.files]
    told = json.dumps([system.to_table(), data.hash, seed, list(map(_checksum, files))], sort_keys=True)
    return sha256(told.encode()).hexdigest()


def _checksum(path: str) -> str:
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
) -> Path:
    """Trains a system and writes its model folder.

    After an interruption the same call goes on from the last whole epoch, with the same result.
    """
    if not data.questions:
        raise TrainingError("there are no questions to learn from: import some first")
    identity = identity_of(system, data, seed)
    work = folder.with_name(f"{folder.name}.training")
    learner = Learner.start(system, data.questions, seed, partial(progress, "word vectors"))
    standings: dict[str, Standing] = {}
    for phase, teach in (("pretraining", pretrain.pretrain), ("finetuning", finetune.finetune)):
        if phase == "pretraining" and system.pretraining is None:
            continue
        standings[phase] = teach(
            learner, data, seed, checkpoint=Checkpoint(work / f"{phase}.safetensors", identity),
            on_epoch=on_epoch, progress=partial(progress, phase),
        )  # fmt: skip
    pictures = {
        f"{phase}.svg": learning_curve(f"{system.name}: {phase}", standing.epochs)
        for phase, standing in standings.items()
        if standing.epochs
    }
    card = model_card(system, data, seed, standings, list(pictures))
    vocabularies = [part.vocabulary for part in learner.parts]
    save_model(folder, system, vocabularies, learner.weights(), card, pictures)
    shutil.rmtree(work, ignore_errors=True)
    return folder
