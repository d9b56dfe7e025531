"""The folder that an encoding fills.

encoding.json        what is made: the model and its dimensions, or the features, and the size of parts
parts/*.safetensors  the arrays of each part
parts/*.jsonl        beside them, line by line, what each row belongs to
skipped.jsonl        rows that could not be used, with their file and line
manifest.json        the parts; written last, so that it is there when everything else is
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save

from askagain.cluster.encoding.parts import Part
from askagain.cluster.encoding.reading import Item
from askagain.cluster.wholefile import write_whole
from askagain.errors import OutputError, SourceError
from askagain.sources.base import Skipped

FORMAT: Final = 1

_SETTINGS: Final = "encoding.json"
_MANIFEST: Final = "manifest.json"
_SKIPPED: Final = "skipped.jsonl"
_PARTS: Final = "parts"
_ARRAYS: Final = ".safetensors"
_IDS: Final = ".jsonl"
_FINGERPRINT: Final = "fingerprint"

Arrays: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A part in the manifest."""

    name: str
    source: str
    first: int
    last: int
    rows: int

    @classmethod
    def of(cls, part: Part[Item]) -> WrittenPart:
        """What the manifest says about a part."""
        return cls(part.name, part.source.name, part.first, part.last, len(part.rows))


class EncodingFolder:
    """Parts go in one by one, in any order; those that are there already need not be made again."""

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        self._settings = {"format": FORMAT, **settings}
        self._text = json.dumps(self._settings, indent=1) + "\n"

    def open(self) -> None:
        """Makes the folder; an error if it has been filled with other settings."""
        settings = self.path / _SETTINGS
        if settings.is_file():
            if settings.read_text(encoding="utf-8", errors="replace") != self._text:
                raise OutputError(
                    f"{self.path} holds what another model or other settings have made, as {settings} tells: "
                    "name another folder, or remove it"
                )
            return
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise OutputError(f"{self.path} is not empty: name a new folder")
        _make(self.path)
        write_whole(settings, self._text.encode())

    def has(self, part: Part[Item]) -> bool:
        """Whether the part is there, made from the same texts."""
        try:
            with safe_open(self._arrays(part.name), "numpy") as file:
                made_from = (file.metadata() or {}).get(_FINGERPRINT)
            return made_from == part.fingerprint(self._text) and self._ids(part.name).read_bytes() == part.ids
        except (OSError, SafetensorError):
            return False

    def write(self, part: Part[Item], arrays: Arrays) -> None:
        """The arrays come last: where they are, the part is complete."""
        _make(self.path / _PARTS)
        (self.path / _MANIFEST).unlink(missing_ok=True)
        write_whole(self._ids(part.name), part.ids)
        made_from = {_FINGERPRINT: part.fingerprint(self._text)}
        write_whole(self._arrays(part.name), save(arrays, made_from))

    def finish(self, parts: list[WrittenPart], skipped: int) -> None:
        """Removes what is not of these parts, and lists them."""
        wanted = {file.name for part in parts for file in (self._arrays(part.name), self._ids(part.name))}
        for file in (self.path / _PARTS).glob("*"):
            if file.name not in wanted:
                file.unlink()
        manifest = {
            **self._settings,
            "rows": sum(part.rows for part in parts),
            "skipped": skipped,
            "parts": [asdict(part) for part in parts],
        }
        write_whole(self.path / _MANIFEST, json.dumps(manifest, indent=1).encode() + b"\n")

    @contextmanager
    def skipped_rows(self) -> Iterator[Callable[[Skipped], None]]:
        """Takes reports of rows that cannot be used, and writes them down."""
        with (self.path / _SKIPPED).open("w", encoding="utf-8") as file:
            yield lambda row: print(
                json.dumps({"file": str(row.path), "line": row.line, "reason": row.reason}), file=file
            )

    def _arrays(self, name: str) -> Path:
        return self.path / _PARTS / f"{name}{_ARRAYS}"

    def _ids(self, name: str) -> Path:
        return self.path / _PARTS / f"{name}{_IDS}"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {folder}: {error.strerror}") from error


def encoded_parts(folder: Path) -> Iterator[tuple[list[dict[str, Any]], Arrays]]:
    """What a finished folder holds, part by part: what each row belongs to, and the arrays."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        for part in manifest["parts"]:
            files = folder / _PARTS / part["name"]
            ids = Path(f"{files}{_IDS}").read_text(encoding="utf-8")
            # Not splitlines: an id may contain other characters that end lines.
            lines = [json.loads(line) for line in ids.split("\n") if line]
            yield lines, load_file(f"{files}{_ARRAYS}")
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise SourceError(f"{folder} is not the folder of a finished encoding: {error}") from error
