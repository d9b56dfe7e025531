"""The config.toml of a trained encoder: what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, Final, Protocol

from askagain.encoders.settings import Part, read_part
from askagain.errors import ModelError, SettingsError
from askagain.modelfolder import REMEDY, load_config

FORMAT_VERSION: Final = 1
_MOST_QUESTIONS: Final = 2**53


class ModelConfig(Protocol):
    """What a model is; the recipe of a trainable system tells it."""

    @property
    def name(self) -> str:
        """The system's name."""

    @property
    def description(self) -> str:
        """A sentence about it."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """What it is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedConfig:
    """What a saved model is.

    `questions` were counted for the vocabulary of each part; `checksums` are those of the other files;
    `identity` differs between any two models.
    """

    name: str
    description: str
    parts: tuple[Part, ...]
    questions: tuple[int, ...]
    checksums: Mapping[str, str]
    identity: str


def config_table(config: ModelConfig, questions: Sequence[int]) -> dict[str, Any]:
    """A config without the files' checksums; of the word vectors' files it has the names alone."""
    return {
        "format": FORMAT_VERSION,
        "name": config.name,
        "description": config.description,
        "questions": list(questions),
        "parts": [_portable(part).to_table() for part in config.parts],
    }


def _portable(part: Part) -> Part:
    names = tuple(PurePath(file).name for file in part.words.files)
    return replace(part, words=replace(part.words, files=names, start=PurePath(part.words.start).name))


def parsed_config(path: Path) -> SavedConfig:
    """The config of a model folder."""
    table, checksum = load_config(path)
    try:
        return _parsed(table, checksum)
    except (SettingsError, ValueError) as error:
        raise ModelError(f"{path} is not understood: {error}; {REMEDY}") from error


def _parsed(table: dict[str, Any], checksum: str) -> SavedConfig:
    if table.get("format") != FORMAT_VERSION:
        raise ValueError(
            f"it has format version {table.get('format')}, and this askagain reads {FORMAT_VERSION}"
        )
    parts = [read_part(part, f"part {number}") for number, part in enumerate(_list(table, "parts", dict))]
    questions = _list(table, "questions", int)
    if not parts or len(questions) != len(parts) or not all(0 <= n <= _MOST_QUESTIONS for n in questions):
        raise ValueError(f"questions is {questions}: it must have a number for each of the parts")
    name = _value(table, "name", str)
    return SavedConfig(
        name=name,
        description=_value(table, "description", str),
        parts=tuple(parts),
        questions=tuple(questions),
        checksums={file: str(value) for file, value in _value(table, "checksums", dict).items()},
        identity=f"{name}-{checksum[:16]}",
    )


def _value(table: Mapping[str, Any], name: str, kind: type) -> Any:
    value = table.get(name)
    if type(value) is not kind:
        raise ValueError(f"{name} is {repr(value)[:40]}: it must be a {kind.__name__}")
    return value


def _list(table: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    values: list[Any] = _value(table, name, list)
    return [_value({name: value}, name, kind) for value in values]
