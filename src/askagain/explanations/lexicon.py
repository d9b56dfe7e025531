"""Words as numbers: what is remembered of many questions takes a few bytes a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from askagain.encoders.vectors import Ints

_FIRST_ROOM: Final = 1024


class GrowingNumbers:
    """Numbers to which others are appended; whoever holds the `array` goes on seeing what was there then."""

    def __init__(self) -> None:
        self.array: Ints = np.empty(_FIRST_ROOM, dtype=np.int32)
        self.count = 0

    def extend(self, values: Sequence[int]) -> None:
        """Append some."""
        end = self.count + len(values)
        if end > len(self.array):
            wider = np.empty(max(end, 2 * len(self.array)), dtype=np.int32)
            wider[: self.count] = self.array[: self.count]
            self.array = wider
        self.array[self.count : end] = values
        self.count = end


class Lexicon(dict[str, int]):
    """The number of every text that is looked up, in the order in which they were met."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: list[str] = []

    def __missing__(self, text: str) -> int:
        self._texts.append(text)
        number = self[text] = len(self)
        return number

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """What these numbers stand for."""
        texts = self._texts
        return [texts[number] for number in numbers]
