"""The models of trainable systems for an evaluation: given, or trained on the set and kept for later."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from askagain.cli.output import remark
from askagain.cli.progress import NamedProgress
from askagain.cli.training import EpochLines, check_torch
from askagain.encoders.recipe import EncoderSystem
from askagain.errors import SettingsError
from askagain.systems import System


def models_for(
    systems: Sequence[System | str],
    set_dir: Path,
    fields: tuple[str, ...],
    given: Path | None,
    seed: int,
    progress: NamedProgress,
) -> dict[str, Path]:
    """A model folder for each trainable system."""
    learning = [system for system in systems if isinstance(system, EncoderSystem)]
    if given is None:
        return {system.name: trained_on(set_dir, system, fields, seed, progress) for system in learning}
    if len(learning) != 1:
        raise SettingsError(f"--model is for one trainable system, and {len(learning)} were named")
    return {learning[0].name: given}


def trained_on(
    set_dir: Path, system: EncoderSystem, fields: tuple[str, ...], seed: int, progress: NamedProgress
) -> Path:
    """The model of a system after learning from a set; one and the same training is done once."""
    check_torch()
    from askagain.training.sets import from_set
    from askagain.training.train import identity_of, train

    restricted = system.restricted_to(fields)
    data = from_set(set_dir, fields, seed)
    folder = cache_folder() / f"{system.name}-{identity_of(restricted, data, seed)[:16]}"
    if not (folder / "config.toml").is_file():
        remark(f"training {system.name} on {set_dir.name}; the model is kept in {folder}")
        shown = partial(_named, progress, system.name)
        train(restricted, data, folder, seed=seed, on_epoch=EpochLines(restricted).show, progress=shown)
    return folder


def _named(progress: NamedProgress, system: str, what: str, done: int, total: int) -> None:
    progress(f"{system}: {what}", done, total)


def cache_folder() -> Path:
    """Where models are kept that belong to no archive."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("ASKAGAIN_CACHE") or home / "askagain") / "models"
