"""The vectors of an archive's questions: a growing store in chunks. No change copies many rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from askagain.encoders.vectors import QuestionVectors
from askagain.neighbours.chunk import CAPACITY, Chunk, Numbers

_ABSENT: Final = -1


class Rows:
    """One row per living question, known by the archive's number.

    A row's location is `ordinal * CAPACITY + place`, where the ordinal is that of its chunk. Ordinals ascend
    and are never used again, so a location means the same vector for ever. All chunks but the last are full.
    """

    def __init__(self, dimension: int, chunks: Mapping[int, Chunk] | None = None) -> None:
        self.dimension = dimension
        self.chunks = dict(chunks or {0: Chunk.empty(dimension)})
        self._location_of = np.full(CAPACITY, _ABSENT, dtype=np.int64)
        self._living = 0
        for ordinal, chunk in self.chunks.items():
            places = np.flatnonzero(chunk.alive)
            self._locate(chunk.numbers[places], ordinal * CAPACITY + places)

    def __len__(self) -> int:
        return self._living

    @property
    def last(self) -> int:
        """The ordinal of the chunk that takes in new rows."""
        return next(reversed(self.chunks))

    def append(self, numbers: Iterable[int], vectors: QuestionVectors) -> None:
        """Take in rows whose numbers are not there."""
        self._append(np.fromiter(numbers, dtype=np.int64), vectors)

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows out; numbers that are not there are passed over."""
        there = self._there(numbers)
        by_chunk = self._by_chunk(there)
        self._location_of[there] = _ABSENT
        self._living -= len(there)
        for ordinal, places in by_chunk:
            chunk = self.chunks[ordinal]
            chunk.alive[places] = 0
            if not chunk.room and 3 * chunk.living < 2 * CAPACITY:
                self._compact(ordinal)

    def located(self, numbers: Numbers) -> list[tuple[Chunk, Numbers, Numbers]]:
        """The chunks of these questions, each with the rows in it and where each of them is in `numbers`.

        A number may be there several times; those that have no row are passed over.
        """
        if not len(numbers):
            return []
        known = (numbers >= 0) & (numbers < len(self._location_of))
        locations = np.where(known, self._location_of[np.where(known, numbers, 0)], _ABSENT)
        there = np.flatnonzero(locations != _ABSENT)
        ordinals, rows = np.divmod(locations[there], CAPACITY)
        order = np.argsort(ordinals, kind="stable")
        groups = np.split(order, 1 + np.flatnonzero(np.diff(ordinals[order]))) if len(there) else []
        return [(self.chunks[int(ordinals[group[0]])], rows[group], there[group]) for group in groups]

    def _there(self, numbers: Iterable[int]) -> Numbers:
        """Those of the numbers that are there, each once."""
        asked = np.unique(np.fromiter(numbers, dtype=np.int64))
        asked = asked[(asked >= 0) & (asked < len(self._location_of))]
        there: Numbers = asked[self._location_of[asked] != _ABSENT]
        return there

    def _by_chunk(self, numbers: Numbers) -> list[tuple[int, Numbers]]:
        """Ordinals of chunks, and the places in them, of numbers that are there."""
        ordinals, places = np.divmod(self._location_of[numbers], CAPACITY)
        return [(ordinal, places[ordinals == ordinal]) for ordinal in np.unique(ordinals).tolist()]

    def _append(self, numbers: Numbers, vectors: QuestionVectors) -> None:
        begin = 0
        while begin < len(numbers):
            ordinal, chunk = self.last, self.chunks[self.last]
            places = np.arange(begin, min(begin + chunk.room, len(numbers)))
            first = ordinal * CAPACITY + chunk.count
            chunk.append(numbers[places], selected(vectors, places))
            self._locate(numbers[places], first + places - begin)
            if not chunk.room:
                self.chunks[ordinal + 1] = Chunk.empty(self.dimension)
            begin += len(places)

    def _compact(self, ordinal: int) -> None:
        """Drop a chunk of which more than a third is removed, and append what is left of it."""
        chunk = self.chunks.pop(ordinal)
        places = np.flatnonzero(chunk.alive)
        self._living -= len(places)
        self._append(chunk.numbers[places], selected(chunk.vectors, places))

    def _locate(self, numbers: Numbers, locations: Numbers) -> None:
        room = len(self._location_of)
        needed = int(numbers.max(initial=-1)) + 1
        if needed > room:
            wider = np.full(max(needed, 2 * room), _ABSENT, dtype=np.int64)
            wider[:room] = self._location_of
            self._location_of = wider
        self._location_of[numbers] = locations
        self._living += len(numbers)


def selected(vectors: QuestionVectors, places: Numbers) -> QuestionVectors:
    """Some of the rows, in the order of `places`."""
    starts, sizes = vectors.offsets[places], np.diff(vectors.offsets)[places]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    entries = np.repeat(starts - offsets[:-1], sizes) + np.arange(offsets[-1])
    return QuestionVectors(vectors.dense[places], vectors.columns[entries], vectors.values[entries], offsets)
