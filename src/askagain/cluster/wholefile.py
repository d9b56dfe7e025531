"""Files that are there with all of their content, or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from askagain.errors import OutputError


def write_whole(path: Path, content: bytes) -> None:
    """In place of whatever has this name: others see the one or the other, also after a crash."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        make_durable(path.parent)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def make_durable(path: Path) -> None:
    """A file's content, or the names in a folder, survive a crash from now on."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
