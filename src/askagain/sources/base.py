"""What every reader of forum data offers: a stream of questions, marks and reports of skipped rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from askagain.question import Mark, Question


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that could not be used: where it stands and why. `line` is 1-based; 0 = the file as a whole."""

    path: Path
    line: int
    reason: str


Record = Question | Mark | Skipped

# Called with (bytes read so far, bytes in all) of the file on disk, compressed or not.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Shows nothing."""


class Source(Protocol):
    """A reader of one format. Streams: memory does not grow with the file."""

    @property
    def name(self) -> str:
        """The format's name on the command line (`--format NAME`)."""

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether the first (unpacked) bytes of the file look like this format."""

    def records(self, path: Path, progress: Progress = no_progress) -> Iterator[Record]:
        """Every question and mark of the file in order, and a Skipped for each row that is unusable."""
