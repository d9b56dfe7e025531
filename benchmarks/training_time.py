"""How long learning takes, from the first word vector to the best dev epoch.

python benchmarks/training_time.py [--systems cnn rcnn …] [--threads 1] [--seed 0]

Each system that learns from marks is trained on askubuntu-titles with its recipe's settings, words included.
Then one is taught by the raw text of cooking, biology and robotics, without any mark. Takes an hour or two.

Beside minutes there are core-minutes, the processor time of all threads: with one thread they are the minutes
of a single core, whatever else the machine has to do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import torch

from askagain.encoders.recipe import EncoderSystem
from askagain.systems import ENCODER_SYSTEMS, load_system
from askagain.training import finetune, pretrain
from askagain.training.checkpoints import Epoch
from askagain.training.data import TrainingData, assembled
from askagain.training.sets import from_set
from askagain.training.train import train
from learning import log
from resample import real_questions, set_folder

FROM_MARKS = [name for name in ENCODER_SYSTEMS if not name.endswith("-pretrained")]
RAW_SETS = ("cooking", "biology", "robotics")
RAW_SYSTEM = "rcnn-pretrained"


class Lap(NamedTuple):
    """An epoch, and when it ended."""

    epoch: Epoch
    minutes: float
    core_minutes: float


@dataclass
class Watch:
    """Notes when each epoch of a training ended."""

    started: float = field(default_factory=time.perf_counter)
    cores_started: float = field(default_factory=time.process_time)
    laps: list[Lap] = field(default_factory=list)

    def note(self, epoch: Epoch) -> None:
        """An epoch has ended."""
        minutes = (time.perf_counter() - self.started) / 60
        self.laps.append(Lap(epoch, minutes, (time.process_time() - self.cores_started) / 60))
        log(f"{epoch.phase}, epoch {epoch.number}: {minutes:.1f} minutes, {_figure(epoch)}")

    def best(self, phase: str) -> Lap:
        """The best epoch of a phase: by dev MRR, else by perplexity."""
        return max((lap for lap in self.laps if lap.epoch.phase == phase), key=_goodness)


def _goodness(lap: Lap) -> float:
    if lap.epoch.dev is not None:
        return lap.epoch.dev
    return -lap.epoch.perplexity if lap.epoch.perplexity is not None else 0.0


def _figure(epoch: Epoch) -> str:
    return f"dev MRR {epoch.dev:.2f}" if epoch.dev is not None else f"perplexity {epoch.perplexity:.1f}"


def trainable(name: str) -> EncoderSystem:
    system = load_system(name)
    assert isinstance(system, EncoderSystem)
    return system


def timed(system: EncoderSystem, data: TrainingData, seed: int) -> Watch:
    watch = Watch()
    with TemporaryDirectory() as folder:
        train(system, data, Path(folder, "model"), seed=seed, on_epoch=watch.note)
    return watch


def line(name: str, phase: str, watch: Watch) -> str:
    epoch, *best = watch.best(phase)
    _, *end = watch.laps[-1]
    times = " ".join(f"{time:8.1f}" for time in (*best, *end))
    return f"{name:16} {phase:13} {epoch.number:5} {times}   {_figure(epoch)}"


def raw_text() -> TrainingData:
    questions = [
        replace(question, id=f"{name}-{question.id}")
        for name in RAW_SETS
        for question in real_questions(name)
    ]
    return assembled(questions, [], [], source="+".join(RAW_SETS))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--systems", nargs="*", choices=[*FROM_MARKS, RAW_SYSTEM])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    wanted = options.systems or [*FROM_MARKS, RAW_SYSTEM]
    print(f"{'':30} {'':5} {'to the best epoch':>17} {'to the end':>17}")
    print(f"{'':30} {'epoch':>5} {'minutes':>8} {'cores':>8} {'minutes':>8} {'cores':>8}", flush=True)
    titles = from_set(set_folder("askubuntu-titles"), ("title",), options.seed)
    for name in wanted:
        if name == RAW_SYSTEM:
            print(line(name, pretrain.PHASE, timed(trainable(name), raw_text(), options.seed)), flush=True)
        else:
            system = trainable(name).restricted_to(("title",))
            print(line(name, finetune.PHASE, timed(system, titles, options.seed)), flush=True)


if __name__ == "__main__":
    main()
