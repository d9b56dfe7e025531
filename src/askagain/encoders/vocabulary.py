"""The words that a model knows, and in how many questions of its archive each occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from askagain.encoders.vectors import Floats


@dataclass(frozen=True)
class Vocabulary:
    """Words by number; `documents` of the `questions` that were counted have each of them."""

    words: tuple[str, ...]
    documents: NDArray[np.int64]
    questions: int

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @property
    def idf(self) -> Floats:
        """log(|Q| / |{q : w ∈ q}|) of each word (S15, §3.1)."""
        return np.log(self.questions / np.maximum(self.documents, 1)).astype(np.float32)

    def known(self, terms: Iterable[str]) -> list[int]:
        """The numbers of the terms that are known, in their order."""
        numbers = self.numbers
        return [numbers[term] for term in terms if term in numbers]


def count_vocabulary(questions: Iterable[Sequence[str]], min_count: int = 1) -> Vocabulary:
    """The words that occur at least so often in the questions' terms, the most frequent first."""
    occurrences: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    total = 0
    for terms in questions:
        total += 1
        occurrences.update(terms)
        documents.update(set(terms))
    words = sorted(
        (word for word, count in occurrences.items() if count >= min_count),
        key=lambda word: (-documents[word], word),
    )
    return Vocabulary(tuple(words), np.array([documents[word] for word in words], dtype=np.int64), total)
