"""Files that commands write: checked before the work begins, and whole or not there at all."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from askagain.errors import OutputError


def check_writable(path: Path) -> None:
    """An OutputError if a file of this name cannot be written: better now than after an hour of work."""
    folder = path.parent
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a folder; give the name of a file")
    if not folder.is_dir():
        raise OutputError(f"cannot write {path}: the folder {folder} does not exist; make it first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise OutputError(f"cannot write {path}: permission denied; choose another place")


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name when everything is in it; gzipped if the name ends in .gz."""
    check_writable(path)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            if path.suffix == ".gz":
                # Without name and time, so that equal content gives equal files.
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
