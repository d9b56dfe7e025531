"""Learning from marked duplicates, until the dev set says that it is enough."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch

from askagain.errors import TrainingError
from askagain.sources.base import Progress, no_progress
from askagain.training.batches import Batches, TrainingBatch
from askagain.training.checkpoints import Checkpoint, Epoch, Standing
from askagain.training.data import TrainingData
from askagain.training.dev import DevMeasure
from askagain.training.learner import Learner
from askagain.training.lexical import bm25_candidates
from askagain.training.losses import loss_of
from askagain.training.optimisers import make_optimiser

PHASE = "fine-tuning"
HARD_CANDIDATES = 20

OnEpoch = Callable[[Epoch], None]


def no_report(epoch: Epoch) -> None:
    """Tells nobody."""


def finetune(
    learner: Learner,
    data: TrainingData,
    seed: int,
    *,
    measure: DevMeasure | None,
    checkpoint: Checkpoint,
    on_epoch: OnEpoch = no_report,
    progress: Progress = no_progress,
) -> Standing:
    """Teaches the learner until its best dev epoch, whose weights it has afterwards."""
    settings = learner.system.training
    optimiser = make_optimiser(learner.network, settings)
    generator = np.random.default_rng(seed)
    standing = Standing()
    loaded = checkpoint.load(learner.network, optimiser)
    if loaded is not None:
        standing, generator.bit_generator.state = loaded
    if measure and not standing.best_weights:
        # A few marks can teach less than they spoil.
        standing.start_from(measure.mrr(learner.encoder(), learner.texts), learner.network)
    batches = Batches(data, settings, generator, hard_candidates(data) if settings.hard else None)
    most = settings.epochs if measure else settings.epochs_without_dev
    while len(batches) and len(standing.epochs) < most and standing.since_best < settings.patience:
        started = time.perf_counter()
        loss, questions = _learn(learner, batches, optimiser, progress)
        learned = time.perf_counter() - started
        dev = measure.mrr(learner.encoder(), learner.texts) if measure else None
        taken = time.perf_counter() - started
        epoch = Epoch(PHASE, len(standing.epochs) + 1, loss, taken, questions / learned, dev)
        # Without a dev set the last epoch counts.
        standing.add(epoch, epoch.number if dev is None else dev, learner.network)
        checkpoint.save(standing, learner.network, optimiser, generator.bit_generator.state)
        on_epoch(epoch)
    if standing.best_weights:
        learner.network.load_state_dict(standing.best_weights)
    return standing


def _learn(
    learner: Learner, batches: Batches, optimiser: torch.optim.Optimizer, progress: Progress
) -> tuple[float, int]:
    """One epoch; gives the mean loss, and how many questions were encoded."""
    learner.network.train()
    losses, questions = [], 0
    for batch in batches.epoch():
        losses.append(_step(learner, batch, optimiser))
        questions += len(batch.questions)
        progress(len(losses), len(batches))
    learner.network.eval()
    if not np.isfinite(losses).all():
        rate = learner.system.training.rate
        raise TrainingError(f"the loss is no longer a finite number: lower training.rate, which is {rate:g}")
    return float(np.mean(losses)), questions


def _step(learner: Learner, batch: TrainingBatch, optimiser: torch.optim.Optimizer) -> float:
    settings = learner.system.training
    if not len(batch.lessons.anchors):
        return 0.0
    optimiser.zero_grad()
    dropouts = (settings.dropout_inputs, settings.dropout_output)
    scores = learner.network.scores(learner.texts, batch.questions, dropouts)
    loss = loss_of(scores, batch.lessons, settings)
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return float(loss.item())


def hard_candidates(data: TrainingData) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """For each question that is in a pair its best lexical candidates, -1 elsewhere."""
    hard = np.full((len(data.questions), HARD_CANDIDATES), -1, dtype=np.int64)
    asked = np.unique(data.pairs)
    hard[asked] = bm25_candidates(data.questions, asked, HARD_CANDIDATES)
    return hard
