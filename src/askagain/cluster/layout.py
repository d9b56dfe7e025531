"""The folder of a cluster: its generations with their snapshots, the log, and the keys.

    cluster.json                              what this folder is
    current                                   the generation that is to be served
    deployed                                  the newest generation whose shards a service has started
    changing                                  locked by whoever makes a generation or a snapshot
    keys.db                                   who may write
    log/                                      every write since the oldest snapshot
    generations/0001/generation.json          shards, system; model/ beside it if it has one
    generations/0001/snapshots/POSITION/      shard-0000/archive.db with its indexes, and so on

A generation never changes what it is; another number of shards or another model is another generation, made
beside the one that is served. A folder gets its name when it is complete.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from askagain.archive import Archive
from askagain.cluster.log import WriteLog
from askagain.cluster.wholefile import make_durable, write_whole
from askagain.errors import ClusterError, OutputError
from askagain.systems import load_system

FORMAT: Final = 1
ARCHIVE: Final = "archive.db"

_DESCRIPTION: Final = "cluster.json"
_CURRENT: Final = "current"
_DEPLOYED: Final = "deployed"
_CHANGING: Final = "changing"
_GENERATION: Final = "generation.json"
_SNAPSHOT: Final = "snapshot.json"
_RECIPE: Final = "system.toml"
_MODEL: Final = "model"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All shards as they were after a position of the log."""

    folder: Path
    position: int
    next_number: int
    questions: int

    def shard(self, number: int) -> Path:
        """The folder of one shard."""
        return self.folder / shard_name(number)


@dataclass(frozen=True, slots=True)
class Generation:
    """A number of shards, and a system that searches them."""

    folder: Path
    number: int
    shards: int
    system: str

    @property
    def model(self) -> Path | None:
        """The folder of its model, if it has one of its own."""
        folder = self.folder / _MODEL
        return folder if folder.is_dir() else None

    @property
    def recipe(self) -> str:
        """As systems are loaded: by name, or by the path of a recipe of one's own."""
        own = self.folder / _RECIPE
        return str(own) if own.is_file() else self.system

    def snapshots(self) -> list[Snapshot]:
        """From the oldest to the newest."""
        found = sorted((self.folder / "snapshots").glob(f"[0-9]*/{_SNAPSHOT}"))
        return [Snapshot(path.parent, **_read(path)) for path in found]

    @property
    def snapshot(self) -> Snapshot:
        """The newest."""
        snapshots = self.snapshots()
        if not snapshots:
            raise ClusterError(f"{self.folder} has no snapshot: make the generation anew")
        return snapshots[-1]


class ClusterFolder:
    """What is in the folder, and how things get there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = WriteLog(path / "log")

    @classmethod
    def open(cls, path: Path) -> ClusterFolder:
        """One that is there."""
        description = path / _DESCRIPTION
        if not description.is_file():
            raise ClusterError(f"{path} is not a cluster: make one with askagain cluster create {path} ...")
        found = _read(description).get("format")
        if found != FORMAT:
            raise ClusterError(f"{path} has the format {found}: this version of askagain reads {FORMAT}")
        return cls(path)

    @classmethod
    def create(cls, path: Path) -> ClusterFolder:
        """A new one without a generation."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise ClusterError(f"{path} exists already and is not empty: choose another folder")
        try:
            (path / "generations").mkdir(parents=True)
            (path / "log").mkdir()
        except OSError as error:
            raise OutputError(f"cannot make {path}: {error.strerror}") from error
        _write(path / _DESCRIPTION, {"format": FORMAT, "id": uuid.uuid4().hex})
        return cls(path)

    @property
    def id(self) -> str:
        """Differs between any two clusters."""
        return str(_read(self.path / _DESCRIPTION)["id"])

    @property
    def keys(self) -> Path:
        """The archive in which keys are kept."""
        return self.path / "keys.db"

    def generations(self) -> list[Generation]:
        """From the oldest to the newest."""
        found = sorted((self.path / "generations").glob(f"[0-9]*/{_GENERATION}"))
        return [Generation(path.parent, **_read(path)) for path in found]

    def generation(self, number: int) -> Generation:
        """The one with this number."""
        for generation in self.generations():
            if generation.number == number:
                return generation
        raise ClusterError(f"{self.path} has no generation {number}")

    @property
    def current(self) -> Generation:
        """The one that is served."""
        try:
            number = int((self.path / _CURRENT).read_text(encoding="ascii"))
        except (OSError, ValueError) as error:
            raise ClusterError(f"{self.path} has no generation yet: {error}") from error
        return self.generation(number)

    def choose(self, generation: Generation) -> None:
        """From now on this one is served."""
        write_whole(self.path / _CURRENT, f"{generation.number}\n".encode("ascii"))

    @property
    def deployed(self) -> int | None:
        """The number of the newest generation whose shards a service has started; None if none ever has."""
        try:
            return int((self.path / _DEPLOYED).read_text(encoding="ascii"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ClusterError(f"{self.path / _DEPLOYED} cannot be read: {error}") from error

    def note_deployed(self, generation: Generation) -> None:
        """Its shards have started, and those of the ones before are no longer needed."""
        if generation.number > (self.deployed or 0):
            write_whole(self.path / _DEPLOYED, f"{generation.number}\n".encode("ascii"))

    @contextmanager
    def changing(self) -> Iterator[None]:
        """One process at a time makes generations and snapshots: what one needs another would forget."""
        with (self.path / _CHANGING).open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ClusterError(
                    f"another generation or snapshot of {self.path} is being made: try again when it is done"
                ) from None
            yield

    @contextmanager
    def new_generation(self, shards: int, system: str, model: Path | None) -> Iterator[Generation]:
        """A generation in the making; it is there when the block ends without an error."""
        number = max((each.number for each in self.generations()), default=0) + 1
        with _complete(self.path / "generations" / f"{number:04}") as folder:
            if model is not None:
                shutil.copytree(model, folder / _MODEL)
            name = system
            if system.endswith(".toml"):
                shutil.copyfile(system, folder / _RECIPE)
                name = load_system(system).name
            yield Generation(folder, number, shards, name)
            _write(folder / _GENERATION, {"number": number, "shards": shards, "system": name})


@contextmanager
def new_snapshot(generation: Generation, position: int, next_number: int) -> Iterator[Path]:
    """A snapshot in the making; it is there when the block ends without an error."""
    with _complete(generation.folder / "snapshots" / f"{position:012}") as folder:
        yield folder
        questions = sum(_questions_in(folder / shard_name(shard)) for shard in range(generation.shards))
        _write(folder / _SNAPSHOT, {"position": position, "next_number": next_number, "questions": questions})


def _questions_in(shard: Path) -> int:
    with Archive.open(shard / ARCHIVE, create=False) as archive:
        return len(archive)


def shard_name(number: int) -> str:
    """Of a shard's folder."""
    return f"shard-{number:04}"


@contextmanager
def _complete(folder: Path) -> Iterator[Path]:
    """A folder under another name until it is complete; nothing is left of one that fails."""
    making = folder.with_name(f".{folder.name}.{uuid.uuid4().hex}")
    try:
        making.mkdir(parents=True)
        yield making
        for path in making.rglob("*"):
            make_durable(path)
        make_durable(making)
        making.rename(folder)
        make_durable(folder.parent)
    except OSError as error:
        raise OutputError(f"cannot make {folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ClusterError(f"{path} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise ClusterError(f"{path} is damaged: it should hold an object")
    return value


def _write(path: Path, value: dict[str, Any]) -> None:
    write_whole(path, json.dumps(value, indent=1).encode() + b"\n")
