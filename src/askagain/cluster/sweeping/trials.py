"""One trial: a system with some settings learns with a seed, and is measured on the dev split."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from askagain.cluster.sweeping.grid import Grid, Settings
from askagain.cluster.sweeping.lessons import Lessons
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import SettingsError
from askagain.evaluating import benchmark_views, no_named_progress, run_all
from askagain.evaluation.results import report
from askagain.extras import check_torch
from askagain.fusion.recipe import FusedSystem
from askagain.rerank.recipe import PairSystem
from askagain.systems import System, load_system
from askagain.training.checkpoints import Epoch


@dataclass(frozen=True)
class Trial:
    """A system with settings of a grid, and a seed."""

    system: System
    settings: Settings
    seed: int

    def name(self, lessons: Lessons) -> str:
        """Of its result's file: the same for trials that must end the same."""
        told = [asdict(self.system), self.seed, lessons.dev.fields, lessons.hash]
        return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def base_system(grid: Grid) -> System:
    """The system of a grid as it is without the grid's settings."""
    system = load_system(grid.system)
    if isinstance(system, FusedSystem):
        raise SettingsError(
            f"{grid.system} chooses its settings itself, by cross-validation: sweep another system"
        )
    return system


def trials_of(grid: Grid, fixed: Settings, seeds: int) -> Iterator[Trial]:
    """Every combination with every seed; what does not learn needs one seed only."""
    base = base_system(grid).with_parameters(fixed) if fixed else base_system(grid)
    learns = isinstance(base, EncoderSystem | PairSystem)
    for settings in grid.combinations():
        system = base.with_parameters(settings)
        for seed in range(seeds if learns else 1):
            yield Trial(system, settings, seed)


def measured(lessons: Lessons, trial: Trial) -> dict[str, Any]:
    """What a worker does: the figures of a trial, in percent, and what it was."""
    started = time.perf_counter()
    with TemporaryDirectory(prefix="askagain-") as folder:
        model = _learned(lessons, trial, Path(folder) / "model")
        models = {trial.system.name: model} if model else {}
        runs = run_all([trial.system], lessons.dev, seed=trial.seed, models=models)
    told = report(runs, seed=trial.seed)
    [result] = told.systems
    return {
        "system": trial.system.name,
        "settings": trial.settings,
        "seed": trial.seed,
        "set": told.set,
        "split": told.split,
        "fields": list(told.fields),
        "queries": told.queries,
        "data": lessons.hash,
        "metrics": result.values,
        "ci95": {metric: list(interval) for metric, interval in result.intervals.items()},
        "seconds": time.perf_counter() - started,
    }


def _learned(lessons: Lessons, trial: Trial, folder: Path) -> Path | None:
    if isinstance(trial.system, EncoderSystem) and lessons.encoder is not None:
        check_torch("training")
        from askagain.training.train import train

        return train(trial.system.restricted_to(lessons.dev.fields), lessons.encoder, folder, seed=trial.seed)
    if isinstance(trial.system, PairSystem) and lessons.judge is not None and lessons.train is not None:
        from askagain.rerank.learning import learn

        with benchmark_views(lessons.train) as views:
            return learn(
                trial.system, lessons.judge, views, folder,
                seed=trial.seed, on_epoch=_tell_nobody, progress=no_named_progress,
            )  # fmt: skip
    return None


def _tell_nobody(epoch: Epoch) -> None:
    """A worker has nobody to tell."""
