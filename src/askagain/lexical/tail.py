"""The newest questions: not inverted yet, scored one by one, few enough that this costs nothing."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.lexical.segment import Documents

CAPACITY: Final = 1024


class Tail:
    """A growing set of documents in order of arrival."""

    def __init__(self, fields: int) -> None:
        self.count = 0
        self.alive = np.zeros(CAPACITY, dtype=np.uint8)
        self._places: dict[int, int] = {}
        self._fields = fields
        self.documents = Documents(
            numbers=np.zeros(CAPACITY, dtype=np.uint32),
            lengths=np.zeros((fields, CAPACITY), dtype=np.uint16),
            starts=np.zeros(CAPACITY * fields + 1, dtype=np.uint32),
            entries=np.zeros(CAPACITY, dtype=np.uint32),
        )

    @property
    def room(self) -> int:
        """How many more documents fit."""
        return CAPACITY - self.count

    def append(self, added: Documents) -> None:
        """Take in at most `room` documents."""
        begin, end = self.count, self.count + added.size
        used = int(self.documents.starts[begin * self._fields])
        self._make_room(used + len(added.entries))
        numbers, lengths, starts, entries = self.documents
        numbers[begin:end] = added.numbers
        lengths[:, begin:end] = added.lengths
        starts[begin * self._fields : end * self._fields + 1] = added.starts + used
        entries[used : used + len(added.entries)] = added.entries
        self.alive[begin:end] = 1
        self._places.update(zip(added.numbers.tolist(), range(begin, end), strict=True))
        self.count = end

    def _make_room(self, entries: int) -> None:
        capacity = len(self.documents.entries)
        if entries > capacity:
            wider = np.zeros(max(entries, 2 * capacity), dtype=np.uint32)
            wider[:capacity] = self.documents.entries
            self.documents = self.documents._replace(entries=wider)

    def find(self, number: int) -> int | None:
        """The place of a living question, by its number."""
        return self._places.get(number)

    def kill(self, number: int) -> None:
        """Delete a living question."""
        self.alive[self._places.pop(number)] = 0

    def living(self) -> tuple[Documents, NDArray[np.uint8]]:
        """All documents so far, without spare room, and which of them live."""
        numbers, lengths, starts, entries = self.documents
        last = self.count * self._fields
        documents = Documents(
            numbers[: self.count], lengths[:, : self.count], starts[: last + 1], entries[: int(starts[last])]
        )
        return documents, self.alive[: self.count]
