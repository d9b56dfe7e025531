"""Encoders of a fused system that learn from a forum's marks before the judge does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem
from askagain.extras import check_torch, check_transformer
from askagain.fusion.folder import folder_name
from askagain.fusion.making import fusible_system
from askagain.fusion.recipe import FusedSystem
from askagain.modelfolder import CONFIG
from askagain.training.data import Pair, TrainingData, assembled, divided

if TYPE_CHECKING:
    from askagain.training.checkpoints import Epoch

NamedProgress = Callable[[str, int, int], None]
OnEpoch = Callable[["Epoch"], None]

FEWEST_PAIRS_TO_TUNE: Final = 200
"""With fewer marked pairs a sentence encoder stays as it is."""

_SHARE_OF_THE_JUDGE: Final = 1 / 3


def taught_encoders(
    system: FusedSystem,
    data: TrainingData,
    folder: Path,
    seed: int,
    on_epoch: OnEpoch,
    progress: NamedProgress,
) -> tuple[TrainingData, dict[str, Path]]:
    """What is left for the judge, and the folders of encoders that have learned from the rest of the marks.

    What teaches an encoder does not teach the judge, who would trust that encoder too much. The folders lie
    beside that of the system, where the next call finds them after an interruption.
    """
    names = _learning(system, len(data.pairs))
    if not names:
        return data, {}
    of_encoders, of_judge = shares_of(data, seed)
    lesson = _Lesson(system, of_encoders, seed, on_epoch)
    taught = {}
    for name in names:
        out = folder.resolve().with_name(f"{folder.resolve().name}.{folder_name(name)}")
        taught[name] = lesson.teach(name, out, progress)
    return of_judge, taught


def shares_of(data: TrainingData, seed: int) -> tuple[TrainingData, TrainingData]:
    """What teaches encoders, and what teaches the judge; a group of duplicates is never in both."""
    ids = [question.id for question in data.questions]
    pairs = [(ids[first], ids[second]) for first, second in data.pairs.tolist()]
    dev = dev_pairs(data)
    of_encoders, of_judge = (
        assembled(data.questions, some, dev, data.source)
        for some in divided(pairs, seed, _SHARE_OF_THE_JUDGE)
    )
    return of_encoders, of_judge


def dev_pairs(data: TrainingData) -> list[Pair]:
    """The pairs that are measured with."""
    if data.dev is None:
        return []
    ids = [question.id for question in data.questions]
    every = zip(data.dev.queries.tolist(), data.dev.relevant, strict=True)
    return sorted({(ids[min(row, other)], ids[max(row, other)]) for row, found in every for other in found})


def _learning(system: FusedSystem, pairs: int) -> list[str]:
    """The encoders that have something to learn: those of the forum itself, and tuned sentence encoders."""
    tuned = system.fusion.tuned and pairs >= FEWEST_PAIRS_TO_TUNE
    encoders = {name: fusible_system(name) for name in system.fusion.encoders}
    return [
        name
        for name, encoder in encoders.items()
        if isinstance(encoder, EncoderSystem) or (tuned and encoder.ready.kind == "sentences")
    ]


@dataclass(frozen=True)
class _Lesson:
    """What all encoders of a system learn from."""

    system: FusedSystem
    data: TrainingData
    seed: int
    on_epoch: OnEpoch

    def teach(self, name: str, out: Path, progress: NamedProgress) -> Path:
        """The folder of an encoder that has learned."""
        encoder = fusible_system(name)
        if isinstance(encoder, EncoderSystem):
            return self._trained(encoder, out, progress)
        return self._tuned(encoder, out, partial(progress, name))

    def _trained(self, encoder: EncoderSystem, out: Path, progress: NamedProgress) -> Path:
        check_torch(f"system {self.system.name}")
        from askagain.training.train import identity_of, train

        encoder = encoder.restricted_to(self._fields())
        out = out.with_name(f"{out.name}-{identity_of(encoder, self.data, self.seed)[:16]}")
        if not (out / CONFIG).is_file():
            train(
                encoder, self.data, out,
                seed=self.seed, on_epoch=self.on_epoch,
                progress=lambda what, done, total: progress(f"{encoder.name}: {what}", done, total),
            )  # fmt: skip
        return out

    def _fields(self) -> Sequence[str]:
        return ("title", "body") if any(question.body for question in self.data.questions) else ("title",)

    def _tuned(self, encoder: ReadySystem, out: Path, progress: Callable[[int, int], None]) -> Path:
        check_transformer(f"system {self.system.name}")
        from askagain.training.transformer import finetune_sentences

        own = encoder.ready.folder
        return finetune_sentences(
            Path(own) if own else None, self.data, out, self.system.sentences,
            seed=self.seed, on_epoch=self.on_epoch, progress=progress,
        )  # fmt: skip
