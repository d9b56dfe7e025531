"""Learning from pairs that are marked as duplicates or not; and what a network then says of pairs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from askagain.encoders.recipe import TrainingSettings
from askagain.errors import TrainingError
from askagain.rerank.matching.pairs import Inputs, row_batches
from askagain.rerank.matching.settings import FittingSettings
from askagain.sources.base import Progress, no_progress
from askagain.training.checkpoints import Epoch, Standing
from askagain.training.finetune import OnEpoch, no_report
from askagain.training.optimisers import make_optimiser

PHASE = "matching"

Measure = Callable[[], float]
"""How good the network is now; more is better."""


def fit(
    network: nn.Module,
    inputs: Inputs[Any],
    labels: Sequence[bool] | NDArray[np.bool_],
    settings: FittingSettings,
    seed: int,
    *,
    measure: Measure | None = None,
    on_epoch: OnEpoch = no_report,
    progress: Progress = no_progress,
) -> Standing:
    """Teaches the network, which keeps the weights of its best epoch, or of the last without a measure."""
    wanted = _wanted(inputs, labels, network)
    optimiser = make_optimiser(
        network, TrainingSettings(optimiser=settings.optimiser, rate=settings.rate, decay=settings.decay)
    )
    generator = np.random.default_rng(seed)
    standing = Standing()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        while len(standing.epochs) < settings.epochs and standing.since_best < settings.patience:
            started = time.perf_counter()
            loss = _learn(network, inputs, wanted, optimiser, settings, generator, progress)
            learned = time.perf_counter() - started
            dev = measure() if measure else None
            taken = time.perf_counter() - started
            epoch = Epoch(PHASE, len(standing.epochs) + 1, loss, taken, 2 * len(wanted) / learned, dev)
            standing.add(epoch, epoch.number if dev is None else dev, network)
            on_epoch(epoch)
    if standing.best_weights:
        network.load_state_dict(standing.best_weights)
    return standing


def _wanted(inputs: Inputs[Any], labels: Sequence[bool] | NDArray[np.bool_], network: nn.Module) -> Tensor:
    marks = np.asarray(labels, dtype=bool)
    if len(marks) != len(inputs.lengths):
        raise TrainingError(f"there are {len(inputs.lengths)} pairs, but {len(marks)} marks for them")
    if marks.all() or not marks.any():
        raise TrainingError(
            f"there is nothing to learn: of {len(marks)} pairs {marks.sum()} are marked as duplicates, "
            "and both kinds are needed"
        )
    return torch.from_numpy(marks).to(next(network.parameters()).dtype)


def _learn(
    network: nn.Module,
    inputs: Inputs[Any],
    wanted: Tensor,
    optimiser: torch.optim.Optimizer,
    settings: FittingSettings,
    generator: Generator,
    progress: Progress,
) -> float:
    """One epoch; gives the mean loss of its batches."""
    network.train()
    losses: list[float] = []
    batches = list(row_batches(inputs.lengths, settings.batch, generator))
    for rows in batches:
        optimiser.zero_grad()
        loss = binary_cross_entropy_with_logits(network(inputs.batch(rows)), wanted[torch.from_numpy(rows)])
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(loss.item())
        progress(len(losses), len(batches))
    network.eval()
    if not np.isfinite(losses).all():
        raise TrainingError(
            f"the loss is no longer a finite number: lower the rate, which is {settings.rate:g}"
        )
    return float(np.mean(losses))


def probabilities(network: nn.Module, inputs: Inputs[Any], batch: int = 64) -> NDArray[np.float64]:
    """How likely each pair is one of duplicates, in the order of the pairs."""
    network.eval()
    found = np.zeros(len(inputs.lengths))
    with torch.no_grad():
        for rows in row_batches(inputs.lengths, batch):
            # In double precision, where two sure pairs still differ.
            found[rows] = torch.sigmoid(network(inputs.batch(rows)).double()).numpy()
    return found
