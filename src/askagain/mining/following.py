"""Follows an archive to its end: all questions that have changed are searched for."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from askagain.mining.pairs import LikelyPairs
from askagain.sources.base import Progress, no_progress

_BATCH: Final = 1024
_SECONDS_BETWEEN_LOOKS: Final = 0.5
# Python, its libraries and kernels, and one batch of questions with their candidates.
_BYTES_WITHOUT_INDEXES: Final = 350_000_000
# Indexes are held in memory; vectors with a byte besides the four of each value.
_BYTES_PER_BYTE: Final = 1.3
# While they are made: the vectors of the shipped encoder, and what a partition of them is made from.
_BYTES_TO_INDEX_A_QUESTION: Final = 1_350


def follow(pairs: LikelyPairs, progress: Progress = no_progress) -> None:
    """Search for all questions that have changed; what is found is kept as it goes on.

    If another process is at it, this one waits for it.
    """
    before = -1
    while True:
        now = pairs.catch_up(_BATCH)
        progress(now.done, now.total)
        if now.done >= now.total:
            return
        if now.done == before:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        before = now.done


def memory_needed(archive: Path) -> int:
    """About how many bytes it takes to search for all questions of an archive whose indexes are there."""
    return _BYTES_WITHOUT_INDEXES + round(_bytes_of_indexes(archive) * _BYTES_PER_BYTE)


def memory_to_index(archive: Path, questions: int) -> int:
    """About how many bytes it takes to make the indexes of an archive; 0 if there are some."""
    if _bytes_of_indexes(archive):
        return 0
    return _BYTES_WITHOUT_INDEXES + archive.stat().st_size + questions * _BYTES_TO_INDEX_A_QUESTION


def _bytes_of_indexes(archive: Path) -> int:
    beside = archive.parent.glob(f"{archive.name}.*")
    files = [file for path in beside for file in ([path] if path.is_file() else path.rglob("*"))]
    return sum(file.stat().st_size for file in files if _is_of_an_index(file, archive))


def _is_of_an_index(file: Path, archive: Path) -> bool:
    kinds = {part.rpartition(".")[2] for part in file.relative_to(archive.parent).parts}
    return file.is_file() and bool(kinds & {"lexical", "vectors"})
