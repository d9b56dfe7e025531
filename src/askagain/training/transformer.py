"""Fine-tuning of sentence encoders: all layers learn from a forum's marked duplicates."""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn.functional import normalize
from torch.utils.checkpoint import checkpoint as recomputed

from askagain.encoders.recipe import TrainingSettings
from askagain.encoders.sentencefolder import MODULES, identity_of, load_network, packaged_folder, silenced
from askagain.encoders.sentencesettings import SentenceSettings
from askagain.encoders.texts import Texts, batches
from askagain.encoders.transformer import BATCH_TOKENS, SentenceModel, forward
from askagain.errors import OutputError, TrainingError
from askagain.neighbours.rows import selected
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.training.batches import Batches, TrainingBatch
from askagain.training.checkpoints import Checkpoint, Epoch, Standing
from askagain.training.data import TrainingData
from askagain.training.dev import DevMeasure
from askagain.training.finetune import PHASE, OnEpoch, hard_candidates, no_report
from askagain.training.losses import loss_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Of a step with more tokens, what the layers computed is not kept for the way back but computed again.
_TOKENS_KEPT: Final = 8_192
_FOR_ALL_TO_READ: Final = 0o644
_TRAINING: Final = "training.sha256"


def finetune_sentences(
    folder: Path | None,
    data: TrainingData,
    out: Path,
    settings: SentenceSettings,
    *,
    seed: int = 0,
    on_epoch: OnEpoch = no_report,
    progress: Progress = no_progress,
) -> Path:
    """Teaches the encoder of a folder, or the packaged one, and writes the best that it has been to `out`.

    After an interruption the same call goes on from the last whole epoch, with the same result; once it is
    done, it does nothing. Progress counts the steps of an epoch.
    """
    if not len(data.pairs):
        raise TrainingError(
            "there are no marked duplicates to learn from: mark some, or use the encoder as it is"
        )
    _check_replaceable(out)
    folder = packaged_folder() if folder is None else folder
    identity = _training_identity(folder, data, settings, seed)
    if _identity_in(out) == identity:
        return out
    work = out.resolve().with_name(f"{out.resolve().name}.training")
    kept = Checkpoint(work / "sentences.safetensors", identity)
    torch.manual_seed(seed)
    network = load_network(folder)
    model = SentenceModel(network, identity="learning", bodies=settings.bodies, longest=settings.longest)
    standing = _Teaching(model, data, settings, seed, kept).finish(on_epoch, progress)
    network.load_state_dict(standing.best_weights)
    _save(network, out.resolve(), identity)
    shutil.rmtree(work, ignore_errors=True)
    return out


def _training_identity(folder: Path, data: TrainingData, settings: SentenceSettings, seed: int) -> str:
    """Equal for trainings that end with the same encoder."""
    told = json.dumps([identity_of(folder), asdict(settings), data.hash, seed], sort_keys=True)
    return sha256(told.encode()).hexdigest()


class _Teaching:
    """An encoder on its way through the epochs."""

    def __init__(
        self,
        model: SentenceModel,
        data: TrainingData,
        settings: SentenceSettings,
        seed: int,
        kept: Checkpoint,
    ) -> None:
        self._model = model
        self._data = data
        self._settings = settings
        self._kept = kept
        self._generator: Generator = np.random.default_rng(seed)
        self._optimiser = make_optimiser(model.network, settings)
        self._lessons = TrainingSettings(
            loss="softmax", scale=settings.scale, batch=settings.batch, hard=settings.hard
        )
        self._measure = None if data.dev is None else SentenceMeasure(data.dev, len(data.questions), seed)

    def finish(self, on_epoch: OnEpoch, progress: Progress) -> Standing:
        """All epochs that are still to come."""
        standing = self._start()
        hard = hard_candidates(self._data) if self._settings.hard else None
        lessons = Batches(self._data, self._lessons, self._generator, hard)
        while len(standing.epochs) < self._settings.epochs and standing.since_best < self._settings.patience:
            started = time.perf_counter()
            loss, questions = self._learn(lessons, len(standing.epochs), progress)
            learned = time.perf_counter() - started
            dev = self._dev()
            taken = time.perf_counter() - started
            epoch = Epoch(PHASE, len(standing.epochs) + 1, loss, taken, questions / learned, dev)
            # Without a dev set the last epoch counts.
            standing.add(epoch, epoch.number if dev is None else dev, self._model.network)
            self._kept.save(
                standing, self._model.network, self._optimiser, self._generator.bit_generator.state
            )
            on_epoch(epoch)
        return standing

    def _start(self) -> Standing:
        """Where an interrupted training was, or the encoder as it came, which may stay the best."""
        loaded = self._kept.load(self._model.network, self._optimiser)
        if loaded is not None:
            standing, self._generator.bit_generator.state = loaded
            return standing
        standing = Standing()
        dev = self._dev()
        if dev is not None:
            standing.start_from(dev, self._model.network)
        return standing

    def _dev(self) -> float | None:
        return None if self._measure is None else self._measure.mrr_of(self._model, self._data.questions)

    def _learn(self, lessons: Batches, epoch: int, progress: Progress) -> tuple[float, int]:
        """One epoch; gives the mean loss, and how many questions were encoded."""
        steps = len(lessons)
        losses, questions = [], 0
        self._model.network.train()
        for step, batch in enumerate(lessons.epoch()):
            rate = rate_at(epoch * steps + step, self._settings.epochs * steps, self._settings)
            losses.append(self._step(batch, rate))
            questions += len(batch.questions)
            progress(step + 1, steps)
        self._model.network.eval()
        return float(np.mean(losses)), questions

    def _step(self, batch: TrainingBatch, rate: float) -> float:
        texts = self._model.reader.read([self._data.questions[row] for row in batch.questions.tolist()])
        if not texts.lengths.any():
            return 0.0
        vectors = text_vectors(self._model.network, texts)
        loss = loss_of(vectors @ vectors.T, batch.lessons, self._lessons)
        if not torch.isfinite(loss):
            raise TrainingError(
                f"the loss is no longer a finite number: lower the rate, which is {self._settings.rate:g}"
            )
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._model.network.parameters(), self._settings.clip)
        self._optimiser.step()
        return float(loss.item())


def text_vectors(network: SentenceTransformer, texts: Texts) -> Tensor:
    """Vectors of unit length to learn from [texts, dimension]; zeros for a text without tokens.

    Texts of like length go through the network together. Of long texts nothing is kept but the vectors: the
    way back computes the rest again, which takes a third more time and bounded memory.
    """
    parts = list(batches(texts, BATCH_TOKENS))
    if len(texts.ids) > _TOKENS_KEPT:
        vectors = [recomputed(forward, network, part, use_reentrant=False) for part in parts]
    else:
        vectors = [forward(network, part) for part in parts]
    together = normalize(torch.cat(vectors))
    rows = torch.from_numpy(np.concatenate([part.rows for part in parts]))
    return together.new_zeros(len(texts), together.shape[1]).index_copy(0, rows, together)


def rate_at(step: int, steps: int, settings: SentenceSettings) -> float:
    """The rate of one of all steps: a straight line up, and a straight line down to 0 after the last one."""
    rising = max(1, round(settings.warmup * steps))
    if step < rising:
        return settings.rate * (step + 1) / rising
    return settings.rate * (steps - step) / (steps - rising)


def make_optimiser(network: nn.Module, settings: SentenceSettings) -> torch.optim.Optimizer:
    """AdamW; biases and the factors of layer norms do not decay."""
    weights = [weight for weight in network.parameters() if weight.requires_grad]
    return torch.optim.AdamW(
        [
            {"params": [weight for weight in weights if weight.ndim > 1], "weight_decay": settings.decay},
            {"params": [weight for weight in weights if weight.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=settings.rate,
        fused=True,
    )


class SentenceMeasure(DevMeasure):
    """Measures sentence encoders on a dev set, by search among many questions."""

    def mrr_of(self, model: SentenceModel, questions: Sequence[Question]) -> float:
        """In percent."""
        vectors = model.encode([questions[row] for row in self.pool.tolist()])
        queries = selected(vectors, np.searchsorted(self.pool, self._dev.queries))
        ranks = self._searched(model.as_queries(queries), vectors, model.columns)
        return 100 * float(np.mean(ranks)) if ranks else 0.0


def _check_replaceable(out: Path) -> None:
    """What is not a sentence encoder must not be replaced by one."""
    if not out.exists():
        return
    if not out.is_dir() or (any(out.iterdir()) and not (out / MODULES).is_file()):
        raise OutputError(
            f"{out} is not the folder of a sentence encoder: name a new one, or one that is empty"
        )


def _identity_in(out: Path) -> str | None:
    """Of the training that a folder comes from."""
    try:
        return (out / _TRAINING).read_text()
    except OSError:
        return None


def _save(network: SentenceTransformer, out: Path, identity: str) -> None:
    """Complete or not there: a folder is written under another name first."""
    new, old = (out.with_name(f".{out.name}.{secrets.token_hex(4)}.{state}") for state in ("new", "old"))
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        with silenced():
            network.save(str(new), create_model_card=False, safe_serialization=True)
        for path in new.glob("*.safetensors"):
            path.chmod(_FOR_ALL_TO_READ)
        (new / _TRAINING).write_text(identity)
        if out.exists():
            out.rename(old)
        new.rename(out)
    except OSError as error:
        raise OutputError(f"cannot write the sentence encoder to {out}: {error.strerror or error}") from error
    finally:
        if old.exists() and not out.exists():
            old.rename(out)
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
