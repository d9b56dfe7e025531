"""The weights of a model in a safetensors file, which is mapped into memory when it is read."""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from askagain.errors import ModelError
from askagain.modelfolder import REMEDY

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

_TYPES: Final[Mapping[str, np.dtype[Any]]] = {
    "F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "I8": np.dtype("i1"), "I32": np.dtype("<i4"),
}  # fmt: skip
_PREFIX: Final = 8

_FOR_ALL_TO_READ: Final = 0o644


def save_weights(path: Path, weights: Arrays) -> None:
    """Write arrays of float32, float64, int8 and int32 numbers."""
    save_file({name: np.ascontiguousarray(array) for name, array in weights.items()}, path)
    # The library lets nobody but the owner read; a service may run as somebody else.
    path.chmod(_FOR_ALL_TO_READ)


def load_weights(path: Path, checksum: str) -> dict[str, NDArray[Any]]:
    """The read-only arrays of a file that has this checksum.

    The library's own reader copies what it reads; a mapped file costs no memory, and processes share it.
    """
    content = _mapped(path)
    if sha256(content).hexdigest() != checksum:
        raise ModelError(f"{path} is damaged or belongs to another model: its checksum is wrong; {REMEDY}")
    try:
        start = _PREFIX + int.from_bytes(content[:_PREFIX], "little")
        table = json.loads(bytes(content[_PREFIX:start]))
        table.pop("__metadata__", None)
        return {name: _array(content[start:], **entry) for name, entry in table.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ModelError(f"{path} is not a safetensors file of numbers of known types; {REMEDY}") from error


def _mapped(path: Path) -> memoryview:
    try:
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}; {REMEDY}") from error
    except ValueError as error:
        raise ModelError(f"{path} is empty; {REMEDY}") from error


def _array(content: memoryview, dtype: str, shape: list[int], data_offsets: list[int]) -> NDArray[Any]:
    start, end = data_offsets
    values = np.frombuffer(content, _TYPES[dtype], prod(shape), start)
    if values.nbytes != end - start:
        raise ValueError(f"{end - start} bytes for the shape {shape}")
    array: NDArray[Any] = values.reshape(shape)
    return array
