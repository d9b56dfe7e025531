"""Named arrays in one file: checked to the last byte when it is read, and then mapped into memory.

    magic, format version, CRC-32 and size of the header    24 bytes, little-endian
    header: the array table and what the caller gave        JSON, filled up with spaces
    arrays                                                  each filled up with zeros

Header and arrays end at multiples of 64 bytes. Each has a checksum, which includes what fills it up, so no
byte can change unnoticed. A file is written under another name and renamed when it is complete.
"""

from __future__ import annotations

import json
import mmap
import os
import secrets
import struct
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askagain.errors import IndexFileError

FORMAT_VERSION: Final = 1
ABANDONED_SECONDS: Final = 600
"""A temporary file that nobody has written to for so long belongs to a process that died."""

_ALIGNMENT: Final = 64
_MAGIC: Final = b"ASKARRAY"
_PREFIX: Final = struct.Struct("<8sIIQ")
# Signed, unsigned and floating-point numbers: values that mean nothing but themselves.
_PLAIN_KINDS: Final = "iuf"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class _Row:
    """One array in the table; `offset` counts from the end of the header."""

    name: str
    dtype: str
    shape: list[int]
    offset: int
    crc32: int


def save_arrays(path: Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays and a header of plain values in place of whatever is at `path`."""
    table = [asdict(row) for row in _table(arrays)]
    frame = _frame({"arrays": table, "header": dict(header)})
    try:
        _remove_abandoned(path)
        _replace(path, [*frame, *(part for array in arrays.values() for part in _padded(array))])
    except OSError as error:
        raise IndexFileError(f"{path} cannot be written: {error.strerror or error}") from error


def load_arrays(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The header and the read-only arrays of a file in which every byte is as it was written."""
    try:
        content = _mapped(path)
    except OSError as error:
        raise IndexFileError(f"{path} cannot be read: {error.strerror or error}") from error
    try:
        rows, header, start = _parsed(content)
        return header, _checked(rows, content[start:])
    except _DamageError as error:
        raise IndexFileError(f"{path} cannot be used: {error}") from error


class _DamageError(Exception):
    """What is wrong with the file at hand."""


# Writing


def _table(arrays: Mapping[str, NDArray[Any]]) -> Iterator[_Row]:
    offset = 0
    for name, array in arrays.items():
        content, filling = _padded(array)
        crc = zlib.crc32(filling, zlib.crc32(content))
        yield _Row(name, array.dtype.str, list(array.shape), offset, crc)
        offset += len(content) + len(filling)


def _padded(array: NDArray[Any]) -> tuple[memoryview, bytes]:
    """The array's bytes and the zeros that fill them up."""
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return content.data, bytes(-len(content) % _ALIGNMENT)


def _frame(header: Mapping[str, Any]) -> tuple[bytes, bytes]:
    text = json.dumps(header).encode()
    text += b" " * (-(_PREFIX.size + len(text)) % _ALIGNMENT)
    return _PREFIX.pack(_MAGIC, FORMAT_VERSION, zlib.crc32(text), len(text)), text


def _replace(path: Path, parts: Iterable[memoryview | bytes]) -> None:
    """Put a new file in the place of an old one: others see the one or the other, whole."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _remove_abandoned(path: Path) -> None:
    for file in path.parent.iterdir():
        if file.name.startswith(f"{path.name}.") and file.suffix == ".tmp":
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > ABANDONED_SECONDS:
                    file.unlink()


# Reading


def _mapped(path: Path) -> memoryview:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _parsed(content: memoryview) -> tuple[list[_Row], dict[str, Any], int]:
    """The array table, the caller's header, and where the arrays begin."""
    if len(content) < _PREFIX.size:
        raise _DamageError(f"it has only {len(content)} bytes")
    magic, version, crc, size = _PREFIX.unpack_from(content)
    if magic != _MAGIC:
        raise _DamageError("it is not a file of arrays")
    if version != FORMAT_VERSION:
        raise _DamageError(f"it has format version {version}, and this askagain reads {FORMAT_VERSION}")
    text = bytes(content[_PREFIX.size : _PREFIX.size + size])
    if zlib.crc32(text) != crc:
        raise _DamageError("the checksum of its header is wrong")
    try:
        parsed = json.loads(text)
        return [_Row(**row) for row in parsed["arrays"]], dict(parsed["header"]), _PREFIX.size + size
    except (ValueError, TypeError, KeyError) as error:
        raise _DamageError(f"its header is not understood: {error}") from error


def _checked(rows: list[_Row], content: memoryview) -> Arrays:
    arrays: Arrays = {}
    end = 0
    for row in rows:
        dtype = _plain(row)
        start, size = end, prod(row.shape) * dtype.itemsize
        end = start + size + -size % _ALIGNMENT
        if row.offset != start or end > len(content):
            raise _DamageError(f"its array {row.name} is not where it should be: the file is incomplete")
        if zlib.crc32(content[start:end]) != row.crc32:
            raise _DamageError(f"the checksum of its array {row.name} is wrong")
        arrays[row.name] = np.ndarray(row.shape, dtype, content, start)
    if end != len(content):
        raise _DamageError(f"{len(content) - end} bytes follow its last array")
    return arrays


def _plain(row: _Row) -> np.dtype[Any]:
    try:
        dtype = np.dtype(row.dtype)
    except (TypeError, ValueError) as error:
        raise _DamageError(f"its array {row.name} has an unknown type") from error
    if dtype.kind not in _PLAIN_KINDS or not all(type(size) is int and size >= 0 for size in row.shape):
        raise _DamageError(f"its array {row.name} is not one of plain numbers")
    return dtype
