"""Folders of trained models, whatever the model is: complete or not there, and never changed unnoticed.

    config.toml   what the model is, and the checksums of the files that it is loaded from
    …             those files
    card.md, …    about the model, for people: loading does not look at them

The first line of config.toml has the checksum of all others. A folder is written under another name and
renamed when it is complete.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final

import tomli_w

from askagain.arrayfile import ABANDONED_SECONDS
from askagain.errors import ModelError, OutputError

CONFIG: Final = "config.toml"
CARD: Final = "card.md"
REMEDY: Final = "copy the model folder again, or train the model anew"

_FIRST_LINE: Final = re.compile(rb"# askagain model; checksum of all other lines: ([0-9a-f]{64})\n")
_NEW: Final = ".new"
_OLD: Final = ".old"

Write = Callable[[Path], None]


def save_folder(
    folder: Path,
    config: Mapping[str, Any],
    files: Mapping[str, Write],
    texts: Mapping[str, str],
    folders: Mapping[str, Path] | None = None,
) -> None:
    """Write a model in place of the one that is there.

    `files` write what the model is loaded from; their checksums join the config. `texts` are for people.
    `folders` are copied into it: models that it needs, which have checksums of their own.
    """
    folder = folder.resolve()
    new = _beside(folder, _NEW)
    try:
        check_replaceable(folder)
        new.mkdir(parents=True)
        for name, text in texts.items():
            (new / name).write_text(text, encoding="utf-8")
        for name, write in files.items():
            write(new / name)
        for name, source in (folders or {}).items():
            shutil.copytree(source, new / name)
        checksums = {name: _checksum(new / name) for name in files}
        save_config(new / CONFIG, {**config, "checksums": checksums})
        _make_durable(new)
        _put_in_place(new, folder)
    except OSError as error:
        raise OutputError(f"cannot write the model folder {folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def save_config(path: Path, table: Mapping[str, Any]) -> None:
    """Write a config under its checksum."""
    rest = tomli_w.dumps(table).encode("utf-8")
    first = f"# askagain model; checksum of all other lines: {sha256(rest).hexdigest()}\n"
    path.write_bytes(first.encode() + rest)


def load_config(path: Path) -> tuple[dict[str, Any], str]:
    """The table of a config in which every byte is as it was written, and its checksum."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}; {REMEDY}") from error
    first = _FIRST_LINE.match(content)
    if first is None:
        raise ModelError(f"{path} is damaged, or not the config of a model; {REMEDY}")
    checksum, rest = first[1].decode(), content[first.end() :]
    if sha256(rest).hexdigest() != checksum:
        raise ModelError(f"{path} was changed after it was written: its checksum is wrong; {REMEDY}")
    try:
        return tomllib.loads(rest.decode("utf-8")), checksum
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is not understood: {error}; {REMEDY}") from error


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
    for path in [*folder.rglob("*"), folder]:
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
