"""A trained model in a folder.

    config.toml           what the model is, and the checksums of the next two files
    vocabulary            the words that each part knows
    weights.safetensors   everything that was learned
    card.md, pictures     about the model, for people: loading does not look at them

A folder is written under another name and renamed when it is complete.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import Final

from askagain.arrayfile import ABANDONED_SECONDS
from askagain.encoders.config import ModelConfig, load_config, save_config
from askagain.encoders.model import Model
from askagain.encoders.part import part_encoder
from askagain.encoders.vocabulary import Vocabulary
from askagain.encoders.vocabularyfile import load_vocabularies, save_vocabularies
from askagain.encoders.weightfile import REMEDY, Arrays, load_weights, save_weights
from askagain.encoders.weightnames import fault_of, weights_of
from askagain.errors import ModelError, OutputError

CONFIG: Final = "config.toml"
VOCABULARY: Final = "vocabulary"
WEIGHTS: Final = "weights.safetensors"
CARD: Final = "card.md"

_NEW: Final = ".new"
_OLD: Final = ".old"


def load_model(folder: Path) -> Model:
    """The model of a folder in which everything is as it was saved."""
    config = load_config(folder / CONFIG)
    checksums = [config.checksums.get(name, "") for name in (VOCABULARY, WEIGHTS)]
    vocabularies = load_vocabularies(folder / VOCABULARY, checksums[0], config.questions)
    weights = load_weights(folder / WEIGHTS, checksums[1])
    if (fault := fault_of(weights, config.parts, vocabularies)) is not None:
        raise ModelError(f"{folder / WEIGHTS} does not fit the model's {CONFIG}: {fault}; {REMEDY}")
    encoders = [
        part_encoder(part, vocabulary, weights_of(weights, number))
        for number, (part, vocabulary) in enumerate(zip(config.parts, vocabularies, strict=True))
    ]
    return Model(config.name, encoders, weights["weights"], identity=config.identity)


def save_model(
    folder: Path,
    config: ModelConfig,
    vocabularies: Sequence[Vocabulary],
    weights: Arrays,
    card: str,
    pictures: Mapping[str, str],
) -> None:
    """Write a model in place of the one that is there; pictures are SVG texts by their file names.

    The weights are named as in `weightnames`.
    """
    if (fault := fault_of(weights, config.parts, vocabularies)) is not None:
        raise ModelError(f"the weights do not fit the system {config.name}: {fault}")
    folder = folder.resolve()
    new = _beside(folder, _NEW)
    try:
        check_replaceable(folder)
        new.mkdir(parents=True)
        for name, text in {**pictures, CARD: card}.items():
            (new / name).write_text(text, encoding="utf-8")
        save_vocabularies(new / VOCABULARY, vocabularies)
        save_weights(new / WEIGHTS, weights)
        checksums = {name: _checksum(new / name) for name in (VOCABULARY, WEIGHTS)}
        save_config(new / CONFIG, config, [each.questions for each in vocabularies], checksums)
        _make_durable(new)
        _put_in_place(new, folder)
    except OSError as error:
        raise OutputError(f"cannot write the model folder {folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def check_replaceable(folder: Path) -> None:
    """What is not a model must not be replaced by one."""
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / CONFIG).is_file()):
        raise OutputError(f"{folder} is not a model's folder: name a new one, or one that is empty")


def _beside(folder: Path, suffix: str) -> Path:
    return folder.with_name(f".{folder.name}.{secrets.token_hex(4)}{suffix}")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _make_durable(folder: Path) -> None:
    for path in [*folder.iterdir(), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _put_in_place(new: Path, folder: Path) -> None:
    """A folder cannot be replaced in one step: the old one steps aside, and back if need be."""
    old = _beside(folder, _OLD)
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        if old.exists():
            old.rename(folder)
        raise
    _remove_abandoned(folder, old)


def _remove_abandoned(folder: Path, old: Path) -> None:
    """The old folder, and what earlier processes that died have left."""
    shutil.rmtree(old, ignore_errors=True)
    for path in folder.parent.glob(f".{folder.name}.*"):
        if path.suffix in (_NEW, _OLD):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)
