"""Plain and gzipped files as bounded streams of lines; what cannot be read is reported, the rest goes on."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from askagain.errors import SourceError
from askagain.sources.base import Progress, Skipped, no_progress
from askagain.sources.rows import Row

MAX_LINE_BYTES = 16 * 2**20
HEAD_BYTES = 64 * 2**10

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_DRAIN_BYTES = 2**20
_LINES_PER_PROGRESS = 512
_BROKEN_STREAM = (OSError, EOFError, zlib.error)


def byte_lines(
    path: Path, progress: Progress = no_progress, limit: int = MAX_LINE_BYTES
) -> Iterator[Row[bytes] | Skipped]:
    """The numbered lines of a file without their line ends; at most one of `limit` bytes is held."""
    with _opened(path) as (on_disk, stream):
        size = path.stat().st_size
        number = 0
        while True:
            number += 1
            try:
                line = stream.readline(limit + 1)
                is_too_long = len(line) > limit and not line.endswith(b"\n")
                if is_too_long:
                    _pass_over_rest_of_line(stream)
            except _BROKEN_STREAM as error:
                yield Skipped(path, number, f"the file is damaged or cut off from here on: {error}")
                break
            if not line:
                break
            if is_too_long:
                yield Skipped(path, number, f"line is longer than {limit:,} bytes")
            else:
                yield number, (line.removeprefix(_BOM) if number == 1 else line).rstrip(b"\r\n")
            if number % _LINES_PER_PROGRESS == 0:
                progress(on_disk.tell(), size)
        progress(size, size)


def text_lines(
    path: Path, progress: Progress = no_progress, limit: int = MAX_LINE_BYTES
) -> Iterator[Row[str] | Skipped]:
    """The numbered lines of a UTF-8 file; a line in another encoding is reported."""
    for row in byte_lines(path, progress, limit):
        if isinstance(row, Skipped):
            yield row
            continue
        number, line = row
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            wrong = f"byte 0x{line[error.start]:02x} at position {error.start + 1}"
            yield Skipped(path, number, f"line is not UTF-8 ({wrong})")


def read_head(path: Path, size: int = HEAD_BYTES) -> bytes:
    """The first unpacked bytes of a file without a byte order mark; fewer if the file is damaged."""
    with _opened(path) as (_, stream):
        try:
            return stream.read(size).removeprefix(_BOM)
        except _BROKEN_STREAM:
            return b""


@contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The file on disk and the stream of its unpacked bytes, which are the same for a plain file."""
    try:
        on_disk = path.open("rb")
    except OSError as error:
        raise SourceError(
            f"cannot read {path}: {error.strerror}; check the name and the permissions"
        ) from error
    with on_disk:
        start = on_disk.read(len(_GZIP_MAGIC))
        on_disk.seek(0)
        if start in (b"\xff\xfe", b"\xfe\xff"):
            raise SourceError(f"{path} is UTF-16; convert it to UTF-8 first, e.g. with iconv")
        if start == _GZIP_MAGIC:
            yield on_disk, cast(BinaryIO, gzip.GzipFile(fileobj=on_disk))
        else:
            yield on_disk, on_disk


def _pass_over_rest_of_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(_DRAIN_BYTES)) and not rest.endswith(b"\n"):
        pass
