"""Chunks and partitions as files, each of which is written once, under a name that means this one content."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from askagain.arrayfile import Arrays, load_arrays, save_arrays
from askagain.encoders.vectors import QuestionVectors
from askagain.errors import IndexFileError
from askagain.neighbours.checks import fault_of
from askagain.neighbours.chunk import CAPACITY, Chunk
from askagain.neighbours.partition import Partition, partition_shapes

Kinds = Mapping[str, tuple[str, int]]
"""The type and the number of dimensions of each array of a file."""

ROWS: Final[Kinds] = {
    "numbers": ("<i8", 1),
    "dense": ("<f4", 2),
    "columns": ("<i4", 1),
    "values": ("<f4", 1),
    "offsets": ("<i8", 1),
}
LISTS: Final[Kinds] = {
    "centroids": ("<f4", 2),
    "codebook": ("<f4", 3),
    "ordinals": ("<i8", 1),
    "list_of": ("<i4", 2),
    "codes": ("|u1", 3),
}


def rows_file(name: str) -> str:
    """The file of the chunk of that name."""
    return f"{name}.rows"


def lists_file(name: str) -> str:
    """The file of the partition of that name."""
    return f"{name}.lists"


def save_chunk(folder: Path, chunk: Chunk) -> None:
    """Write all rows of a chunk, the removed ones too."""
    vectors = chunk.vectors
    arrays = (chunk.numbers, vectors.dense, vectors.columns, vectors.values, vectors.offsets)
    header = {"name": chunk.name, "longest": chunk.longest}
    save_arrays(folder / rows_file(chunk.name), header, dict(zip(ROWS, arrays, strict=True)))


def load_chunk(folder: Path, name: str, dimension: int, columns: int) -> Chunk:
    """The chunk of an intact file, mapped into memory, as if no row had been removed."""
    path = folder / rows_file(name)
    header, arrays = load_kinds(path, ROWS, {"name": name})
    numbers, *parts = (arrays[array] for array in ROWS)
    vectors = QuestionVectors(*parts)
    if (fault := fault_of(vectors, len(numbers), dimension, columns)) is not None:
        raise _unusable(path, fault)
    if not 0 < len(numbers) <= CAPACITY or numbers.min() < 0:
        raise _unusable(path, "its numbers are not those of a chunk")
    return Chunk(numbers, vectors, np.ones(len(numbers), dtype=np.uint8), header["longest"], name)


def save_partition(folder: Path, partition: Partition) -> None:
    """Write a partition."""
    header = {"name": partition.name, "end": partition.end, "probes": partition.probes}
    arrays = {array: getattr(partition, array) for array in LISTS}
    save_arrays(folder / lists_file(partition.name), header, arrays)


def load_partition(folder: Path, name: str, dimension: int) -> Partition:
    """The partition of an intact file."""
    path = folder / lists_file(name)
    header, arrays = load_kinds(path, LISTS, {"name": name})
    partition = Partition(**arrays, end=header["end"], probes=header["probes"], name=name)
    lists, list_of = len(partition.centroids), partition.list_of
    if {array: getattr(partition, array).shape for array in LISTS} != partition_shapes(
        lists, len(partition.ordinals), dimension
    ):
        raise _unusable(path, "its arrays are not those of a partition")
    if not len(partition.ordinals) or list_of.min() < 0 or list_of.max() >= lists:
        raise _unusable(path, f"it names a list beyond its {lists}")
    return partition


def load_kinds(path: Path, kinds: Kinds, expected: Mapping[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Header and arrays of an intact file, if its header is as expected and its arrays are of these kinds."""
    header, arrays = load_arrays(path)
    for name, wanted in expected.items():
        if header.get(name) != wanted:
            raise _unusable(path, f"its {name} is {header.get(name)} instead of {wanted}")
    if {name: (array.dtype.str, array.ndim) for name, array in arrays.items()} != kinds:
        raise _unusable(path, "its arrays are laid out in another way")
    return header, arrays


def _unusable(path: Path, reason: str) -> IndexFileError:
    return IndexFileError(f"{path} cannot be used: {reason}")
