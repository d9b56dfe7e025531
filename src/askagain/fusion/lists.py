"""Questions that ask, and what was found for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Offsets
from askagain.question import Question

ListArrays = tuple[Offsets, Offsets, Offsets]
"""Lists as kernels take them: asked, found, starts."""


@dataclass(frozen=True, eq=False)
class Lists:
    """Questions, each of which may ask, and may be found for several others.

    List l is of question `asked[l]`, for which the questions `found[starts[l]:starts[l + 1]]` were found.
    """

    questions: Sequence[Question]
    asked: Offsets
    found: Offsets
    starts: Offsets

    @classmethod
    def of_one(cls, asked: Question, found: Sequence[Question]) -> Self:
        """A single list."""
        size = len(found)
        return cls([asked, *found], np.zeros(1, dtype=np.int64), np.arange(1, size + 1), np.array([0, size]))

    def only(self, kept: NDArray[np.bool_]) -> Lists:
        """Without some of what was found."""
        ends = np.concatenate([[0], np.cumsum(kept)])
        return replace(self, found=self.found[kept], starts=ends[self.starts])

    @property
    def questions_found(self) -> list[Question]:
        """List after list."""
        return [self.questions[place] for place in self.found.tolist()]

    def each(self) -> Iterator[tuple[Question, list[Question]]]:
        """Every question that asks, with what was found for it."""
        for asked, (start, end) in zip(self.asked.tolist(), pairwise(self.starts.tolist()), strict=True):
            yield self.questions[asked], [self.questions[place] for place in self.found[start:end].tolist()]

    @property
    def arrays(self) -> ListArrays:
        """Without the questions."""
        return self.asked, self.found, self.starts

    @property
    def sizes(self) -> Offsets:
        """How many questions were found for each."""
        return np.diff(self.starts)

    @property
    def list_of_each(self) -> Offsets:
        """The list that each of the questions found is in."""
        return np.repeat(np.arange(len(self.asked)), self.sizes)
