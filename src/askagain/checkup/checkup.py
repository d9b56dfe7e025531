"""All checks, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from askagain.checkup import contents
from askagain.checkup.finding import Finding, Level, problem
from askagain.checkup.indexes import check_indexes
from askagain.checkup.installation import check_installation
from askagain.checkup.kernels import check_kernels
from askagain.checkup.keys import check_keys
from askagain.checkup.models import check_chosen, check_shipped
from askagain.checkup.space import check_space
from askagain.errors import ArchiveError


def check_up(archive: Path | None = None) -> Iterator[Finding]:
    """Of the installation, and of an archive with what is beside it; nothing is changed."""
    yield from check_installation()
    yield check_kernels()
    yield from check_shipped()
    if archive is not None:
        yield from _check_archive(archive)


def _check_archive(path: Path) -> Iterator[Finding]:
    try:
        yield from _check_file(path)
    except ArchiveError as error:
        yield problem(contents.SUBJECT, str(error))
    if path.parent.is_dir():
        yield check_space(path)
        yield check_chosen(path)


def _check_file(path: Path) -> Iterator[Finding]:
    with contents.looked_at(path) as looked:
        soundness = contents.check_soundness(looked)
        yield soundness
        if soundness.level is Level.PROBLEM:
            return
        yield from contents.check_contents(looked)
        yield from check_keys(path, looked.archive.keys() if looked.is_current else [])
        yield from check_indexes(looked.archive)
