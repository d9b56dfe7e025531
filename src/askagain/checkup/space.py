"""Whether there is room for what an archive needs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from askagain.checkup.finding import Finding, ok, problem, warning

LEAST_FREE: Final = 64 * 1024**2
"""Bytes without which one cannot go on for long."""

_SUBJECT: Final = "disk"
_REMEDY: Final = "free some space"


def check_space(archive: Path) -> Finding:
    """Of the disk that holds an archive."""
    return check_free(shutil.disk_usage(archive.absolute().parent).free, size_with_indexes(archive))


def check_free(free: int, used: int) -> Finding:
    """Whether what an archive and its indexes use fits once more: a backup, or indexes being built anew."""
    if free < LEAST_FREE:
        return problem(_SUBJECT, f"{sized(free)} are free", _REMEDY)
    if free < used:
        detail = (
            f"{sized(free)} are free, and the archive and its indexes take {sized(used)}: a copy will not fit"
        )
        return warning(_SUBJECT, detail, _REMEDY)
    return ok(_SUBJECT, f"{sized(free)} are free")


def size_with_indexes(archive: Path) -> int:
    """Bytes of the archive and of all that has its name at the beginning."""
    return sum(
        size_of(path) for path in archive.absolute().parent.iterdir() if path.name.startswith(archive.name)
    )


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder; what vanishes meanwhile has none."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(_size(file) for file in files)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0


def sized(count: int) -> str:
    """`3.5 MB`."""
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
