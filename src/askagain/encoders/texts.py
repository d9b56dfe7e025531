"""Texts as numbers of words, and batches of texts of like length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Ints, Offsets

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Texts:
    """Text i has the words `ids[offsets[i]:offsets[i + 1]]`."""

    ids: Ints
    offsets: Offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Offsets:
        """The number of words of each text."""
        return np.diff(self.offsets)

    def __getitem__(self, text: int) -> Ints:
        return self.ids[self.offsets[text] : self.offsets[text + 1]]

    def take(self, rows: Rows | Sequence[int]) -> Texts:
        """Some of the texts, in this order."""
        return packed([self[row] for row in np.asarray(rows).tolist()])


def packed(texts: Iterable[Sequence[int] | Ints]) -> Texts:
    """Texts from lists of word numbers."""
    arrays = [np.asarray(text, dtype=np.int32) for text in texts]
    offsets = np.zeros(len(arrays) + 1, dtype=np.int64)
    np.cumsum([len(array) for array in arrays], out=offsets[1:])
    return Texts(np.concatenate([np.zeros(0, dtype=np.int32), *arrays]), offsets)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some texts, longest first: ids [texts, longest], filled up with -1, and each text's length."""

    rows: Rows
    ids: Ints
    lengths: Offsets


def batches(texts: Texts, most_tokens: int = 16_384) -> Iterator[Batch]:
    """All texts that have a word, in batches of like length, so that little is filled up."""
    lengths = texts.lengths
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    start = 0
    while start < len(order):
        size = max(1, most_tokens // int(lengths[order[start]]))
        yield padded(texts, order[start : start + size])
        start += size


def padded(texts: Texts, rows: Rows) -> Batch:
    """One batch of texts, which stand in order of descending length."""
    lengths = texts.lengths[rows]
    ids = np.full((len(rows), int(lengths[0]) if len(rows) else 0), -1, dtype=np.int32)
    for row, text in enumerate(rows.tolist()):
        ids[row, : lengths[row]] = texts[text]
    return Batch(rows, ids, lengths)
