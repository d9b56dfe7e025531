"""The log of all writes to a cluster: durable, in one order, whoever writes.

One file per entry. A file gets its name when it is complete, and only if no other has it: of two writers
that want the same position one is told to look again. So no writer needs a lock, and none can be in the
way when it dies.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from askagain.cluster.wholefile import make_durable, write_whole
from askagain.errors import ClusterError
from askagain.question import Question

_ENTRIES_PER_FOLDER: Final = 10_000
_DIGITS: Final = 12
_FORGOTTEN: Final = "forgotten"
_TEXTS: Final = tuple(field.name for field in fields(Question))


@dataclass(frozen=True, slots=True)
class Put:
    """A question is added or replaced; if it is new it has this number."""

    number: int
    question: Question

    @property
    def id(self) -> str:
        """Of the question."""
        return self.question.id


@dataclass(frozen=True, slots=True)
class Delete:
    """A question is deleted."""

    id: str


Write = Put | Delete


@dataclass(frozen=True, slots=True)
class Entry:
    """Writes that happen together; `next_number` is that of the next new question."""

    position: int
    next_number: int
    writes: tuple[Write, ...]


class WriteLog:
    """Entries from 1 on in a folder that all nodes see. Those that a snapshot holds may be gone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, position: int) -> bool:
        """Whether the entry is there; a reader looks for the one after its last."""
        return self._path(position).exists()

    def read(self, position: int) -> Entry:
        """One entry; an error if it is not there, or not as it was written."""
        path = self._path(position)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ClusterError(f"entry {position} of the log cannot be read: {error}") from error
        checksum, _, text = data.partition(b"\n")
        if checksum.decode("ascii", "replace") != sha256(text).hexdigest():
            raise ClusterError(f"{path} is damaged: restore it from a copy of the cluster's folder")
        if position <= self._forgotten():
            raise ClusterError(f"entry {position} of the log is forgotten: begin with the newest snapshot")
        return _entry(json.loads(text))

    def after(self, position: int) -> Iterator[Entry]:
        """All entries that follow a position, as far as there are any now."""
        while self.has(position + 1):
            position += 1
            yield self.read(position)

    def end(self, position: int) -> int:
        """The last position, looked for from an earlier one."""
        while True:
            while self.has(position + 1):
                position += 1
            # Read after the look: what is missing because it was forgotten is told there.
            if position >= (forgotten := self._forgotten()):
                return position
            position = forgotten

    def append(self, entry: Entry) -> bool:
        """Makes an entry durable; False if another has its position, and nothing was written."""
        path = self._path(entry.position)
        text = _text(entry)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not _linked(path, sha256(text).hexdigest().encode() + b"\n" + text):
                return False
            if entry.position <= self._forgotten():
                # Another had the position, long ago.
                path.unlink()
                return False
            make_durable(path.parent)
            make_durable(path.parent.parent)
        except OSError as error:
            raise ClusterError(f"cannot write to the log {self.folder}: {error}") from error
        return True

    def forget(self, position: int) -> int:
        """Removes entries up to a position, which snapshots must hold; gives how many there were."""
        old = [path for path in self.folder.glob("*/*.json") if int(path.stem) <= position]
        if position > self._forgotten():
            # Told first: a writer that was away must not take a position for free that is only forgotten.
            write_whole(self.folder / _FORGOTTEN, f"{position}\n".encode("ascii"))
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)

    def _forgotten(self) -> int:
        """The last position that may be gone."""
        try:
            return int((self.folder / _FORGOTTEN).read_text(encoding="ascii"))
        except FileNotFoundError:
            return 0
        except (OSError, ValueError) as error:
            raise ClusterError(f"{self.folder / _FORGOTTEN} cannot be read: {error}") from error

    def _path(self, position: int) -> Path:
        folder = position // _ENTRIES_PER_FOLDER
        return self.folder / f"{folder:0{_DIGITS}}" / f"{position:0{_DIGITS}}.json"


def numbered(questions: Iterable[Question], first: int) -> Sequence[Put]:
    """Puts with numbers from the first on."""
    return [Put(number, question) for number, question in enumerate(questions, first)]


def _linked(path: Path, data: bytes) -> bool:
    """Gives the name to a file that is complete and durable; False if the name is taken."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # Unlike a renaming, this fails if the name is taken.
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        temporary.unlink(missing_ok=True)
    return True


def fingerprint(entry: Entry) -> str:
    """Tells an entry from another one that has the same position in another log."""
    return sha256(_text(entry)).hexdigest()


def _text(entry: Entry) -> bytes:
    return json.dumps(_value(entry), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _value(entry: Entry) -> dict[str, Any]:
    writes = [
        {"number": write.number, "put": asdict(write.question)}
        if isinstance(write, Put)
        else {"delete": write.id}
        for write in entry.writes
    ]
    return {"position": entry.position, "next_number": entry.next_number, "writes": writes}


def _entry(value: dict[str, Any]) -> Entry:
    writes = tuple(
        Delete(write["delete"]) if "delete" in write else Put(write["number"], _question(write["put"]))
        for write in value["writes"]
    )
    return Entry(value["position"], value["next_number"], writes)


def _question(value: dict[str, Any]) -> Question:
    return Question(**{**{name: value[name] for name in _TEXTS}, "tags": tuple(value["tags"])})
