"""Backups of an archive: made while others write to it, and put back only if they are sound."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from askagain.archive import mark_table, question_table
from askagain.archive.copying import WAIT_SECONDS, Snapshot, overwrite, snapshot, write_new
from askagain.archive.opening import open_as_it_is
from askagain.archive.schema import APPLICATION_ID
from askagain.archive.soundness import fault_of, is_damage
from askagain.errors import ArchiveError, ConflictError
from askagain.sources.base import Progress, no_progress

_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = 68


@dataclass(frozen=True, slots=True)
class Backup:
    """An archive file that was checked, and what is in it."""

    path: Path
    questions: int
    marks: int
    keys: int
    sequence: int


def back_up(archive: Path, target: Path, *, progress: Progress = no_progress) -> Backup:
    """Copies the archive as it is committed now to a new file; others may go on writing meanwhile.

    The file gets its name when it is complete and checked. `progress` is called with (pages copied, pages in
    all).
    """
    if target.exists():
        raise ConflictError(f"{target} exists already: choose another name, or remove it first")
    with snapshot(archive) as source:
        write_new(source, target, archive, progress)
        return _described(source, target)


def restore(
    backup: Path, archive: Path, *, replace: bool = False, progress: Progress = no_progress
) -> Backup:
    """Makes the archive what the backup is, if that is sound; one that is there must be meant to be replaced.

    What is there is replaced in one commit: a crash leaves the old or the new one, and whoever has it open
    goes on with the new one. Only where it is so damaged that SQLite cannot write to it, another file takes
    its place: nobody must have it open then.
    """
    with snapshot(backup) as source:
        if (fault := fault_of(source.connection)) is not None:
            raise ArchiveError(
                f"{backup} is damaged ({fault}): {archive} stays as it was; take another backup"
            )
        if archive.exists():
            _check_replaceable(archive, backup, replace)
            _replace(source, archive, progress)
        else:
            write_new(source, archive, backup, progress)
        return _described(source, archive)


def _described(source: Snapshot, path: Path) -> Backup:
    connection = source.connection
    (sequence,) = connection.execute("SELECT ifnull(max(seq), 0) FROM commits").fetchone()
    return Backup(
        path=path,
        questions=question_table.count(connection),
        marks=sum(1 for _ in mark_table.all_of(connection, None, False)),
        keys=source.rows().get("keys", 0),
        sequence=sequence,
    )


def _check_replaceable(archive: Path, backup: Path, replace: bool) -> None:
    if archive.samefile(backup):
        raise ConflictError(f"{backup} is the archive itself: name a backup of it")
    if not replace:
        raise ConflictError(
            f"{archive} exists already: restore to another file, or say --replace to give it up"
        )
    try:
        open_as_it_is(archive, wait_seconds=WAIT_SECONDS)[1].close()
    except ArchiveError:
        # What is not an archive must not be replaced by one; a damaged archive may.
        if not _has_header(archive):
            raise


def _has_header(path: Path) -> bool:
    """Whether the first bytes are those of an archive."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_APPLICATION_ID_AT + 4)
    return head.startswith(_MAGIC) and int.from_bytes(head[_APPLICATION_ID_AT:], "big") == APPLICATION_ID


def _replace(source: Snapshot, archive: Path, progress: Progress) -> None:
    try:
        overwrite(source, archive, progress)
    except ArchiveError as error:
        if not isinstance(error.__cause__, sqlite3.Error) or not is_damage(error.__cause__):
            raise
        write_new(source, archive, archive, progress)
