"""The folder in which a view of vectors is kept.

    NAME.rows     the rows of one chunk
    NAME.lists    a partition
    manifest      which of them belong together, which rows live, and how far the archive was followed

Names are random. Whatever a manifest names is complete before the manifest takes the place of an older one,
and is touched then. So a file that no manifest names and that nobody has touched for long is of no use.
"""

from __future__ import annotations

import logging
import os
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from askagain.archive import Position
from askagain.arrayfile import ABANDONED_SECONDS, save_arrays
from askagain.encoders.vectors import VectorModel
from askagain.errors import IndexFileError
from askagain.neighbours import files
from askagain.neighbours.chunk import CAPACITY, Chunk, Flags
from askagain.neighbours.partition import Partition
from askagain.neighbours.rows import Rows

LAYOUT: Final = [1, CAPACITY]
"""The first number is to be raised when arrays of the same names and types come to mean something else."""

_MANIFEST: Final = "manifest"
_FLAGS: Final[files.Kinds] = {"alive": ("|u1", 1)}
_OURS: Final = re.compile(r"[0-9a-f]{16}\.(rows|lists)(\.[0-9a-f]{8}\.tmp)?|manifest\.[0-9a-f]{8}\.tmp")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Followed:
    """How far an archive was followed: all changes up to the number `taken` are there.

    `position` is not older than any of them, so they belong to every history that it belongs to.
    """

    position: Position
    taken: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a folder holds."""

    rows: Rows
    partition: Partition | None
    followed: Followed


class VectorFolder:
    """Saves and loads the vectors of one model. Several processes may do so at once."""

    def __init__(self, path: Path, model: VectorModel) -> None:
        self.path = path
        self._manifest = path / _MANIFEST
        self._dimension = model.dimension
        self._columns = model.columns
        self._identity = {
            "layout": LAYOUT,
            "model": model.identity,
            "dimension": model.dimension,
            "columns": model.columns,
        }

    # Writing

    def save(self, contents: Contents) -> None:
        """Write what is not written yet, and then the manifest."""
        try:
            self.path.mkdir(exist_ok=True)
            self._remove_abandoned(self._save(contents))
        except OSError as error:
            raise IndexFileError(f"{self.path} cannot be written: {error.strerror or error}") from error

    def _save(self, contents: Contents) -> set[str]:
        """Gives the names of all files in use."""
        chunks = {ordinal: chunk for ordinal, chunk in contents.rows.chunks.items() if chunk.count}
        used = {self._saved_chunk(chunk) for chunk in chunks.values()}
        if contents.partition is not None:
            used.add(self._saved_partition(contents.partition))
        header = {
            **self._identity,
            **asdict(contents.followed),
            "last": contents.rows.last,
            "rows": [[ordinal, chunk.name] for ordinal, chunk in chunks.items()],
            "lists": contents.partition and contents.partition.name,
        }
        alive = [np.zeros(0, dtype=np.uint8), *(chunk.alive for chunk in chunks.values())]
        save_arrays(self._manifest, header, {"alive": np.concatenate(alive)})
        return used

    def _saved_chunk(self, chunk: Chunk) -> str:
        file = files.rows_file(chunk.name)
        if not self._touched(file):
            files.save_chunk(self.path, chunk)
        return file

    def _saved_partition(self, partition: Partition) -> str:
        file = files.lists_file(partition.name)
        if not self._touched(file):
            files.save_partition(self.path, partition)
        return file

    def _touched(self, file: str) -> bool:
        """Whether the file is there; nobody takes it for abandoned now."""
        try:
            os.utime(self.path / file)
        except FileNotFoundError:
            return False
        return True

    def _remove_abandoned(self, used: set[str]) -> None:
        for file in self.path.iterdir():
            if file.name not in used and _OURS.fullmatch(file.name):
                with suppress(OSError):
                    if time.time() - file.stat().st_mtime > ABANDONED_SECONDS:
                        file.unlink()

    # Reading

    def load(self) -> Contents | None:
        """What was saved last; None if there is nothing."""
        if not self._manifest.exists():
            return None
        try:
            return self._load()
        except IndexFileError:
            # Another process may have saved, and removed what was abandoned, while we were reading.
            return self._load()

    def _load(self) -> Contents:
        header, arrays = files.load_kinds(self._manifest, _FLAGS, self._identity)
        followed = Followed(Position(**header["position"]), header["taken"])
        chunks = {ordinal: self._load_chunk(name) for ordinal, name in header["rows"]}
        self._mark_alive(chunks, arrays["alive"])
        chunks.setdefault(header["last"], Chunk.empty(self._dimension))
        return Contents(Rows(self._dimension, chunks), self._load_partition(header), followed)

    def _load_chunk(self, name: str) -> Chunk:
        return files.load_chunk(self.path, name, self._dimension, self._columns)

    def _mark_alive(self, chunks: dict[int, Chunk], alive: Flags) -> None:
        if len(alive) != sum(chunk.count for chunk in chunks.values()):
            raise IndexFileError(f"{self._manifest} cannot be used: it counts other rows than there are")
        begin = 0
        for chunk in chunks.values():
            chunk.alive[:] = alive[begin : begin + chunk.count]
            begin += chunk.count

    def _load_partition(self, header: dict[str, Any]) -> Partition | None:
        if header["lists"] is None:
            return None
        try:
            return files.load_partition(self.path, header["lists"], self._dimension)
        except IndexFileError as error:
            logger.warning("%s: partitioning the vectors anew", error)
            return None


def model_in(path: Path) -> str | None:
    """The identity of the model whose vectors are in a folder; None if it is not a folder of vectors."""
    try:
        header, _ = files.load_kinds(path / _MANIFEST, _FLAGS, {})
    except IndexFileError:
        return None
    model = header.get("model")
    return model if isinstance(model, str) else None


def remove_vectors(path: Path) -> None:
    """Remove a folder of vectors; files that are not ours stay, and so does the folder then."""
    # The manifest first: nobody is to look for files that are gone.
    (path / _MANIFEST).unlink(missing_ok=True)
    for file in path.iterdir():
        if _OURS.fullmatch(file.name):
            file.unlink(missing_ok=True)
    with suppress(OSError):
        path.rmdir()
