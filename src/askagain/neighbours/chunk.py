"""A few thousand rows of vectors: appended to until full, then only ever losing rows."""

from __future__ import annotations

import secrets
from typing import Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.neighbours.rough import RoughRows

CAPACITY: Final = 4096
"""Rows of a full chunk: few enough to be written again when some are new, enough for a fast product."""

Numbers = NDArray[np.int64]
Flags = NDArray[np.uint8]
_Kind = TypeVar("_Kind", bound=np.generic)


class Chunk:
    """Rows in the order of their arrival; what has been written to a place stays as it is.

    `longest` is the length of the longest dense vector. `name` stands for the rows that there are now: no
    others ever have it.
    """

    def __init__(
        self, numbers: Numbers, vectors: QuestionVectors, alive: Flags, longest: float, name: str = ""
    ) -> None:
        self.count = len(numbers)
        self.alive = alive
        self.longest = longest
        self.name = name or new_name()
        self._numbers = numbers
        self._vectors = vectors
        self._rough: RoughRows | None = None

    @classmethod
    def empty(cls, dimension: int) -> Self:
        """A chunk to append to."""
        nothing = QuestionVectors(
            np.zeros((0, dimension), dtype=np.float32),
            np.zeros(0, dtype=np.int32),
            np.zeros(0, dtype=np.float32),
            np.zeros(1, dtype=np.int64),
        )
        return cls(np.zeros(0, dtype=np.int64), nothing, np.zeros(0, dtype=np.uint8), 0.0)

    @property
    def room(self) -> int:
        """How many more rows fit."""
        return CAPACITY - self.count

    @property
    def living(self) -> int:
        """How many rows have not been removed."""
        return int(np.count_nonzero(self.alive))

    @property
    def numbers(self) -> Numbers:
        """The archive's number of each row."""
        return self._numbers[: self.count]

    @property
    def vectors(self) -> QuestionVectors:
        """All rows, the removed ones too, as one contiguous block."""
        whole, entries = self._vectors, int(self._vectors.offsets[self.count])
        return QuestionVectors(
            whole.dense[: self.count],
            whole.columns[:entries],
            whole.values[:entries],
            whole.offsets[: self.count + 1],
        )

    @property
    def rough(self) -> RoughRows:
        """The dense part of all rows in 8 bits a number, made when it is first needed."""
        if self._rough is None:
            self._rough = RoughRows(CAPACITY, self._vectors.dense.shape[1])
        self._rough.follow(self._vectors.dense[: self.count])
        return self._rough

    def append(self, numbers: Numbers, added: QuestionVectors) -> None:
        """Take in at most `room` rows."""
        begin, end = self.count, self.count + len(numbers)
        used = int(self._vectors.offsets[begin])
        self._make_room(used + len(added.columns))
        whole = self._vectors
        whole.dense[begin:end] = added.dense
        whole.columns[used : used + len(added.columns)] = added.columns
        whole.values[used : used + len(added.values)] = added.values
        whole.offsets[begin : end + 1] = added.offsets + used
        self._numbers[begin:end] = numbers
        self.alive = np.concatenate([self.alive, np.ones(len(numbers), dtype=np.uint8)])
        self.longest = max(self.longest, longest_of(added.dense))
        self.count = end
        self.name = new_name()

    def _make_room(self, entries: int) -> None:
        """Arrays of the full size (memory is used when it is written to), with room for sparse values."""
        whole = self._vectors
        if len(self._numbers) < CAPACITY:
            self._numbers = _widened(self._numbers, CAPACITY)
            whole = QuestionVectors(
                _widened(whole.dense, CAPACITY),
                _widened(whole.columns, entries),
                _widened(whole.values, entries),
                _widened(whole.offsets, CAPACITY + 1),
            )
        if len(whole.columns) < entries:
            wider = 2 * entries
            columns, values = _widened(whole.columns, wider), _widened(whole.values, wider)
            whole = QuestionVectors(whole.dense, columns, values, whole.offsets)
        self._vectors = whole


def new_name() -> str:
    """A name that nothing else has."""
    return secrets.token_hex(8)


def longest_of(dense: Floats) -> float:
    """The length of the longest vector."""
    return float(np.sqrt(np.square(dense, dtype=np.float64).sum(axis=1).max(initial=0.0)))


def _widened(array: NDArray[_Kind], rows: int) -> NDArray[_Kind]:
    """A copy with uninitialised rows at its end."""
    wider = np.empty((max(rows, len(array)), *array.shape[1:]), dtype=array.dtype)
    wider[: len(array)] = array
    return wider
