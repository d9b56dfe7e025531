"""How long learning takes, from the first word vector to the best dev epoch.

python benchmarks/training_time.py [--systems cnn rcnn …] [--seed 0]

Each system that learns from marks is trained on askubuntu-titles with its recipe's settings, words included.
Then one is taught by the raw text of cooking, biology and robotics, without any mark. Takes an hour or two.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.encoders.recipe import EncoderSystem
from askagain.systems import ENCODER_SYSTEMS, load_system
from askagain.training import finetune, pretrain
from askagain.training.checkpoints import Epoch
from askagain.training.data import TrainingData, assembled
from askagain.training.sets import from_set
from askagain.training.train import train
from resample import real_questions, set_folder

FROM_MARKS = [name for name in ENCODER_SYSTEMS if not name.endswith("-pretrained")]
RAW_SETS = ("cooking", "biology", "robotics")
RAW_SYSTEM = "rcnn-pretrained"


@dataclass
class Watch:
    """Notes when each epoch of a training ended."""

    started: float = field(default_factory=time.perf_counter)
    epochs: list[tuple[Epoch, float]] = field(default_factory=list)

    def note(self, epoch: Epoch) -> None:
        """An epoch has ended."""
        self.epochs.append((epoch, (time.perf_counter() - self.started) / 60))

    def best(self, phase: str) -> tuple[Epoch, float]:
        """The best epoch of a phase and its minute: by dev MRR, else by perplexity."""
        every = [item for item in self.epochs if item[0].phase == phase]
        return max(every, key=lambda item: _goodness(item[0]))


def _goodness(epoch: Epoch) -> float:
    if epoch.dev is not None:
        return epoch.dev
    return -epoch.perplexity if epoch.perplexity is not None else 0.0


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
    epoch, minutes = watch.best(phase)
    dev = f"dev MRR {epoch.dev:.2f}" if epoch.dev is not None else f"perplexity {epoch.perplexity:.1f}"
    last = watch.epochs[-1][1]
    return f"{name:16} {phase:13} {epoch.number:5} {minutes:8.1f} {last:8.1f}   {dev}"


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
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    wanted = options.systems or [*FROM_MARKS, RAW_SYSTEM]
    print(f"{'':30} {'epoch':>5} {'best':>8} {'end':>8}   minutes")
    titles = from_set(set_folder("askubuntu-titles"), ("title",), options.seed)
    for name in wanted:
        if name == RAW_SYSTEM:
            print(line(name, pretrain.PHASE, timed(trainable(name), raw_text(), options.seed)), flush=True)
        else:
            system = trainable(name).restricted_to(("title",))
            print(line(name, finetune.PHASE, timed(system, titles, options.seed)), flush=True)


if __name__ == "__main__":
    main()
