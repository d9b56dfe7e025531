"""An immutable part of the index: the same questions twice, by question (forward) and by term (inverted).

The forward side gives a question's exact score and its terms when it is deleted; the inverted side finds
candidates. Questions are counted in blocks of 65,536, so that a posting needs 2 bytes for the question and
1 for the frequency; a forward entry packs term and frequency into 4. Together 7 bytes per posting.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askagain.errors import SettingsError
from askagain.jit import Array, compiled, inlined

BLOCK: Final = 65_536
WINDOW: Final = 2048
"""Questions are sorted by length, and upper bounds know the least length of each window of this many."""
FREQUENCY_BITS: Final = 8
MOST_FREQUENT: Final = 255
"""A term counts at most this often in one field of one question."""
MOST_TERMS: Final = 1 << (32 - FREQUENCY_BITS)
"""Distinct terms that an index can hold."""
MOST_ENTRIES: Final = (1 << 32) - 1
"""Forward entries that a segment can hold."""
LONGEST_BOUND: Final = 255
"""Lengths above this count as this long in upper bounds, which stay upper bounds."""

FREQUENCY_CLASSES: Final = 4
"""Upper bounds tell apart tf = 1, 2, 3 to 4, and more."""


@inlined
def frequency_class(tf: int) -> int:
    """The class that a frequency belongs to."""
    return tf - 1 if tf < 3 else (2 if tf < 5 else 3)


@inlined
def highest_frequency(tf_class: int, most: int) -> float:
    """The highest frequency of a class, for a term that occurs at most `most` times in a field."""
    return float(most) if tf_class == 3 else (4.0 if tf_class == 2 else tf_class + 1.0)


class Documents(NamedTuple):
    """Questions as bags of terms: the forward side of a segment.

    numbers  (n,)            the archive's number of each question
    lengths  (fields, n)     terms per field
    starts   (n·fields + 1,) where the entries of question d, field f begin: starts[d·fields + f]
    entries  (m,)            term << 8 | frequency, ascending by term within a field
    """

    numbers: NDArray[np.uint32]
    lengths: NDArray[np.uint16]
    starts: NDArray[np.uint32]
    entries: NDArray[np.uint32]

    @property
    def fields(self) -> int:
        """How many fields each question has."""
        return int(self.lengths.shape[0])

    @property
    def size(self) -> int:
        """How many questions there are."""
        return len(self.numbers)


class Postings(NamedTuple):
    """The inverted side.

    starts     (blocks, fields, terms + 1)  where a term's postings begin, within the block
    bases      (blocks,)                    where the block's postings begin
    questions  (m,)                         question within the block, ascending per term
    classes    (m,)                         frequency class, 0 to 3
    shortest   (fields, terms, 4)           shortest field per frequency class, at most 255; 0 = none
    most       (fields, terms)              highest frequency
    least      (fields, windows)            least length in each window of questions
    """

    starts: NDArray[np.uint32]
    bases: NDArray[np.int64]
    questions: NDArray[np.uint16]
    classes: NDArray[np.uint8]
    shortest: NDArray[np.uint8]
    most: NDArray[np.uint8]
    least: NDArray[np.uint16]

    @property
    def terms(self) -> int:
        """How many terms were known when the segment was built."""
        return int(self.most.shape[1])


class Segment:
    """Documents, their postings, and which of them still live."""

    def __init__(self, documents: Documents, postings: Postings, alive: NDArray[np.uint8]) -> None:
        self.documents = Documents(*(_read_only(array) for array in documents))
        self.postings = Postings(*(_read_only(array) for array in postings))
        self.alive = alive
        # What kernels get. All of it read-only, as memory-mapped arrays are: one type, compiled once.
        self.arrays = (tuple(self.documents), _read_only(alive.view()), tuple(self.postings))
        self._by_number: NDArray[np.uint32] | None = None

    def find(self, number: int) -> int | None:
        """The place of a living question, by its number."""
        if self._by_number is None:
            self._by_number = np.argsort(self.documents.numbers).astype(np.uint32)
        numbers = self.documents.numbers
        rank = int(np.searchsorted(numbers, number, sorter=self._by_number))
        if rank == len(numbers):
            return None
        place = int(self._by_number[rank])
        return place if numbers[place] == number and self.alive[place] else None

    @property
    def living(self) -> int:
        """How many questions are not deleted."""
        return int(np.count_nonzero(self.alive))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def build_segment(documents: Documents, terms: int) -> Segment:
    """Invert documents."""
    blocks = max(1, -(-documents.size // BLOCK))
    starts = np.zeros((blocks, documents.fields, terms + 1), dtype=np.uint32)
    shortest = np.zeros((documents.fields, terms, FREQUENCY_CLASSES), dtype=np.uint8)
    most = np.zeros((documents.fields, terms), dtype=np.uint8)
    _count(documents.starts, documents.entries, documents.lengths, starts, shortest, most)
    sizes = _accumulate(starts)
    bases = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    questions = np.empty(len(documents.entries), dtype=np.uint16)
    classes = np.empty(len(documents.entries), dtype=np.uint8)
    _fill(documents.starts, documents.entries, documents.fields, starts, bases, questions, classes)
    windows = np.arange(0, max(1, documents.size), WINDOW)
    least = np.minimum.reduceat(documents.lengths, windows, axis=1) if documents.size else documents.lengths
    postings = Postings(starts, bases, questions, classes, shortest, most, least)
    return Segment(documents, postings, np.ones(documents.size, dtype=np.uint8))


@compiled
def _count(
    starts: Array, entries: Array, lengths: Array, counts: Array, shortest: Array, most: Array
) -> None:
    fields, documents = lengths.shape
    for document in range(documents):
        block = document // BLOCK
        for f in range(fields):
            length = min(lengths[f, document], LONGEST_BOUND)
            for place in range(starts[document * fields + f], starts[document * fields + f + 1]):
                term = entries[place] >> FREQUENCY_BITS
                tf = entries[place] & MOST_FREQUENT
                counts[block, f, term + 1] += 1
                tf_class = frequency_class(tf)
                known = shortest[f, term, tf_class]
                if known == 0 or length < known:
                    shortest[f, term, tf_class] = length
                most[f, term] = max(most[f, term], tf)


@compiled
def _accumulate(starts: Array) -> Array:
    """Counts to offsets, running on from field to field within a block; gives the blocks' sizes."""
    blocks, fields, terms = starts.shape
    sizes = np.zeros(blocks, dtype=np.int64)
    for block in range(blocks):
        offset = 0
        for f in range(fields):
            for term in range(terms):
                offset += starts[block, f, term]
                starts[block, f, term] = offset
        sizes[block] = offset
    return sizes


@compiled
def _fill(
    doc_starts: Array,
    entries: Array,
    fields: int,
    starts: Array,
    bases: Array,
    questions: Array,
    classes: Array,
) -> None:
    blocks = len(bases)
    documents = (len(doc_starts) - 1) // fields
    for block in range(blocks):
        following = starts[block].copy()
        for document in range(block * BLOCK, min((block + 1) * BLOCK, documents)):
            for f in range(fields):
                for place in range(doc_starts[document * fields + f], doc_starts[document * fields + f + 1]):
                    term = entries[place] >> FREQUENCY_BITS
                    target = bases[block] + following[f, term]
                    following[f, term] += 1
                    questions[target] = document - block * BLOCK
                    classes[target] = frequency_class(entries[place] & MOST_FREQUENT)


def join_documents(parts: list[tuple[Documents, NDArray[np.uint8]]]) -> Documents:
    """The living documents of all parts, ascending by length, so that neighbours have similar weights."""
    fields = parts[0][0].fields
    numbers = np.concatenate([documents.numbers[alive > 0] for documents, alive in parts])
    lengths = np.concatenate([documents.lengths[:, alive > 0] for documents, alive in parts], axis=1)
    order = np.lexsort((numbers, lengths.sum(axis=0, dtype=np.int64)))
    kept = [_kept_entries(documents.starts, documents.entries, alive, fields) for documents, alive in parts]
    sizes = np.concatenate([size for size, _ in kept])
    entries = np.concatenate([entry for _, entry in kept])
    if len(entries) > MOST_ENTRIES:
        raise SettingsError(
            f"the index would have {len(entries):,} postings and can hold {MOST_ENTRIES:,}: split the archive"
        )
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.uint32)
    starts, entries = _reorder(starts, entries, order, fields)
    return Documents(numbers[order], np.ascontiguousarray(lengths[:, order]), starts, entries)


@compiled
def _kept_entries(starts: Array, entries: Array, alive: Array, fields: int) -> tuple[Array, Array]:
    total, documents = 0, 0
    for document in range(len(alive)):
        if alive[document]:
            total += int(starts[(document + 1) * fields]) - int(starts[document * fields])
            documents += 1
    kept = np.empty(total, dtype=np.uint32)
    sizes = np.empty(documents * fields, dtype=np.int64)
    target, row = 0, 0
    for document in range(len(alive)):
        if alive[document]:
            for slot in range(document * fields, (document + 1) * fields):
                size = int(starts[slot + 1]) - int(starts[slot])
                kept[target : target + size] = entries[starts[slot] : starts[slot + 1]]
                sizes[row] = size
                target += size
                row += 1
    return sizes, kept


@compiled
def _reorder(starts: Array, entries: Array, order: Array, fields: int) -> tuple[Array, Array]:
    new_starts = np.empty(len(starts), dtype=np.uint32)
    new_entries = np.empty(len(entries), dtype=np.uint32)
    new_starts[0] = 0
    slot, target = 0, 0
    for document in order:
        for old in range(document * fields, (document + 1) * fields):
            size = int(starts[old + 1]) - int(starts[old])
            new_entries[target : target + size] = entries[starts[old] : starts[old + 1]]
            target += size
            slot += 1
            new_starts[slot] = target
    return new_starts, new_entries


@compiled
def pack(tokens: Array, token_starts: Array) -> tuple[Array, Array]:
    """Token ids of consecutive fields to sorted entries: (starts, entries)."""
    rows = len(token_starts) - 1
    starts = np.zeros(rows + 1, dtype=np.uint32)
    entries = np.empty(len(tokens), dtype=np.uint32)
    target = 0
    for row in range(rows):
        terms = np.sort(tokens[token_starts[row] : token_starts[row + 1]])
        place = 0
        while place < len(terms):
            end = place + 1
            while end < len(terms) and terms[end] == terms[place]:
                end += 1
            tf = min(end - place, MOST_FREQUENT)
            entries[target] = (terms[place] << FREQUENCY_BITS) | tf
            target += 1
            place = end
        starts[row + 1] = target
    return starts, entries[:target].copy()
