"""Small deterministic models, and small chunks, so that few questions make a large archive."""

import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from askagain.encoders.vectors import QuestionVectors
from askagain.neighbours import approximate, chunk, files, partition, rows, view
from askagain.question import Question, Reason
from askagain.sources.base import Progress, no_progress


class WordModel:
    """Bags of hashed words: a random direction per word, summed, and a column per word, counted."""

    def __init__(self, dimension: int = 16, columns: int = 32, pause: float = 0.0) -> None:
        self.dimension = dimension
        self.columns = columns
        self.encoded = 0
        self.calls = 0
        self._pause = pause

    @property
    def identity(self) -> str:
        return f"words {self.dimension} {self.columns}"

    def encode(self, questions: Sequence[Question], progress: Progress = no_progress) -> QuestionVectors:
        time.sleep(self._pause)
        self.calls += 1
        self.encoded += len(questions)
        bags = [Counter(f"{question.title} {question.body}".split()) for question in questions]
        return sparse_and_dense([self._dense(bag) for bag in bags], [self._sparse(bag) for bag in bags])

    def as_queries(self, vectors: QuestionVectors) -> QuestionVectors:
        """The sparse part of a query counts a quarter."""
        quarter = vectors.values / np.float32(4.0)
        return QuestionVectors(vectors.dense, vectors.columns, quarter, vectors.offsets)

    def explain(self, question: Question, candidate: Question) -> list[Reason]:
        shared = set(question.title.split()) & set(candidate.title.split())
        return [Reason(word, "title", 1.0) for word in sorted(shared)]

    def queries(self, *titles: str) -> QuestionVectors:
        """Titles as queries."""
        return self.as_queries(self.encode([Question(title) for title in titles]))

    def _dense(self, bag: Counter[str]) -> np.ndarray:
        total = np.zeros(self.dimension)
        for word, count in bag.items():
            total += count * direction_of(word)[: self.dimension]
        return total / max(1.0, float(np.linalg.norm(total)))

    def _sparse(self, bag: Counter[str]) -> dict[int, float]:
        sums: Counter[int] = Counter()
        for word, count in bag.items():
            if self.columns:
                sums[hash_of(word) % self.columns] += count
        return dict(sorted(sums.items()))


@cache
def hash_of(word: str) -> int:
    return int.from_bytes(sha256(word.encode()).digest()[:8])


@cache
def direction_of(word: str) -> np.ndarray:
    return np.random.default_rng(hash_of(word)).normal(size=16)


def sparse_and_dense(dense: list[np.ndarray], sparse: list[dict[int, float]]) -> QuestionVectors:
    """Rows as vectors: dense values, and sparse values by column."""
    return QuestionVectors(
        np.array(dense, dtype=np.float32),
        np.array([column for row in sparse for column in row], dtype=np.int32),
        np.array([value for row in sparse for value in row.values()], dtype=np.float32),
        np.cumsum([0, *map(len, sparse)]).astype(np.int64),
    )


def use_small_chunks(patch: pytest.MonkeyPatch, capacity: int) -> None:
    """Chunks of so many rows, a multiple of 8, which are saved one by one."""
    for module in (approximate, chunk, files, partition, rows, view):
        patch.setattr(module, "CAPACITY", capacity)
    patch.setattr(view, "_BATCH", capacity // 2)
