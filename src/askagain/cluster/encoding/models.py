"""Encoders on their way to workers: those need no folder that they share with the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.cluster.encoding.reading import is_archive
from askagain.encoders.folder import load_model
from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.transformer import load_sentences
from askagain.encoders.vectors import VectorModel
from askagain.errors import ModelError, SettingsError
from askagain.extras import check_transformer
from askagain.fusion.making import ready_model
from askagain.systems import ENCODER_SYSTEMS, READY_SYSTEMS, load_system
from askagain.trained import require_model

EncodingSystem = ReadySystem | EncoderSystem


@dataclass(frozen=True)
class SentModel:
    """An encoder: its system, and the files of its folder unless it comes with the package."""

    identity: str
    system: EncodingSystem = field(compare=False)
    files: Mapping[str, bytes] | None = field(compare=False, repr=False)


def encoding_system(name: str) -> EncodingSystem:
    """A system that is one encoder, by its name or recipe."""
    system = load_system(name)
    if not isinstance(system, ReadySystem | EncoderSystem):
        choice = ", ".join((*READY_SYSTEMS, *ENCODER_SYSTEMS))
        raise SettingsError(f"{name} has no vectors of its own: choose one of {choice}, or a recipe of such")
    return system


def model_folder_of(system: EncodingSystem, given: Path | None, sources: Sequence[Path]) -> Path | None:
    """Where the model of a system is; None if it comes with the package.

    A trained one is in the folder given, or beside the archive that is the only one among the sources.
    """
    if isinstance(system, ReadySystem):
        if given is not None:
            raise SettingsError(f"{system.name} takes no --model: name the system that made {given}")
        return Path(system.ready.folder) if system.ready.folder else None
    archives = [source for source in sources if is_archive(source)]
    if given is None and len(archives) != 1:
        raise SettingsError(f"{system.name} was trained somewhere: name its model's folder with --model DIR")
    folder = given or require_model(archives[0], system.name)
    if not folder.is_dir():
        raise ModelError(f"there is no model at {folder}: make one with askagain train {system.name}")
    return folder


def load(system: EncodingSystem, folder: Path | None) -> VectorModel:
    """The encoder of a folder, or the one that comes with the package."""
    if isinstance(system, EncoderSystem):
        if folder is None:
            raise ModelError(f"{system.name} has no model: make one with askagain train {system.name}")
        model = load_model(folder)
        if model.name != system.name:
            raise ModelError(
                f"{folder} holds a model of {model.name}, not of {system.name}: name that system"
            )
        return model
    if folder is None:
        return ready_model(system)
    check_transformer(f"system {system.name}")
    return load_sentences(folder)


def sent(system: EncodingSystem, folder: Path | None, identity: str) -> SentModel:
    """What workers need to load the same encoder."""
    if folder is None:
        return SentModel(identity, system, None)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return SentModel(identity, system, {str(path.relative_to(folder)): path.read_bytes() for path in paths})


@lru_cache(maxsize=1)
def received(model: SentModel) -> VectorModel:
    """The encoder on a worker, which loads it for its first part."""
    with TemporaryDirectory(prefix="askagain-") as name:
        for relative, content in (model.files or {}).items():
            path = Path(name, relative)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        loaded = load(model.system, None if model.files is None else Path(name))
    if loaded.identity != model.identity:
        raise ModelError(
            f"a worker has another {model.system.name} than the command has: install the same askagain there"
        )
    return loaded
