"""The models of trainable systems for an evaluation: given, or trained on the set and kept for later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from askagain.cachefolder import cache_folder
from askagain.cli.fusing import fused_trained_on
from askagain.cli.judging import judge_trained_on
from askagain.cli.output import remark
from askagain.cli.progress import NamedProgress
from askagain.cli.training import EpochLines
from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import SettingsError
from askagain.extras import check_torch
from askagain.fusion.recipe import FusedSystem
from askagain.lexical.recipe import LexicalSystem
from askagain.systems import System, TrainableSystem


@dataclass(frozen=True)
class Models:
    """Model folders of systems that learn: the given one, or those after learning from a set."""

    set_dir: Path
    fields: tuple[str, ...]
    given: Path | None
    progress: NamedProgress
    with_dev: bool = False

    def of(self, systems: Sequence[System | str], seed: int) -> dict[str, Path]:
        """One for each of the systems that learn."""
        learning = [system for system in systems if not isinstance(system, str | LexicalSystem | ReadySystem)]
        if self.given is None:
            trained = {system.name: self._trained(system, seed) for system in learning}
            return {name: folder for name, folder in trained.items() if folder is not None}
        if len(learning) != 1:
            raise SettingsError(f"--model is for one trainable system, and {len(learning)} were named")
        return {learning[0].name: self.given}

    def _trained(self, system: TrainableSystem, seed: int) -> Path | None:
        """None for a system that has learned elsewhere and finds no marks here."""
        if isinstance(system, EncoderSystem):
            return trained_on(self.set_dir, system, self.fields, seed, self.progress)
        where = self.set_dir, self.fields, seed, cache_folder() / "models", self.progress
        if isinstance(system, FusedSystem):
            return fused_trained_on(system, *where, with_dev=self.with_dev)
        return judge_trained_on(system, *where, with_dev=self.with_dev)


def trained_on(
    set_dir: Path, system: EncoderSystem, fields: tuple[str, ...], seed: int, progress: NamedProgress
) -> Path:
    """The model of a system after learning from a set; one and the same training is done once."""
    check_torch("training")
    from askagain.training.sets import from_set
    from askagain.training.train import identity_of, train

    restricted = system.restricted_to(fields)
    data = from_set(set_dir, fields, seed)
    folder = cache_folder() / "models" / f"{system.name}-{identity_of(restricted, data, seed)[:16]}"
    if not (folder / "config.toml").is_file():
        remark(f"training {system.name} on {set_dir.name}; the model is kept in {folder}")
        shown = partial(_named, progress, system.name)
        lines = EpochLines(restricted, measured=data.dev is not None)
        train(restricted, data, folder, seed=seed, on_epoch=lines.show, progress=shown)
    return folder


def _named(progress: NamedProgress, system: str, what: str, done: int, total: int) -> None:
    progress(f"{system}: {what}", done, total)
