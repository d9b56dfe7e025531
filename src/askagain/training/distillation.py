"""Teaching a small encoder by a large one's vectors: an average of word vectors that know their own spelling.

A word's vector is one of its own plus the mean of those of its character n-grams (as in fastText, Bojanowski
et al. 2017, arXiv:1607.04606). Now and then a word is read by its n-grams alone, so that they learn to stand
for words that nobody has seen. The encoder learns to point where the teacher points, and to find the same
neighbours among the questions of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, kl_div, log_softmax, normalize, softmax

from askagain.encoders.reading import QuestionTexts, Reader
from askagain.encoders.settings import Part
from askagain.encoders.subwords import NGRAMS, ngram_places
from askagain.encoders.texts import Rows, Texts
from askagain.encoders.vectors import Floats
from askagain.encoders.vocabulary import Vocabulary
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.tables import check_range
from askagain.training.wordvectors import count_words

_START: Final = 0.1
_ROWS_AT_ONCE: Final = 1000
# No score among unit vectors, times any scale in use, is as low.
_NEVER: Final = -1e4

OnStep = Callable[[int, float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DistillationSettings:
    """How a teacher's vectors become an average of word vectors.

    `scale` is the inverse temperature of all softmaxes over similarities. A word is read by its n-grams alone
    with the probability `spelled`. Each step has about `batch` questions: some at random, and of each some of
    its `nearest` ones in the eyes of the teacher, `together` in all.
    """

    buckets: int = 16384
    batch: int = 512
    together: int = 8
    nearest: int = 20
    epochs: int = 15
    rate: float = 5e-3
    scale: float = 20.0
    spelled: float = 0.1

    def __post_init__(self) -> None:
        check_range("buckets", self.buckets, 1, 10_000_000)
        check_range("batch", self.batch, 2, 100_000)
        check_range("nearest", self.nearest, 1, 1_000)
        check_range("together", self.together, 1, min(self.batch, self.nearest + 1))
        check_range("epochs", self.epochs, 1, 10_000)
        check_range("rate", self.rate, 1e-8, 10.0)
        check_range("scale", self.scale, 1e-3, 1e4)
        check_range("spelled", self.spelled, 0.0, 0.95)


@dataclass(frozen=True)
class Lessons:
    """Questions with a teacher's vectors of unit length [questions, any].

    `collections` tells which forum each question is from: neighbours are sought within it.
    """

    questions: Sequence[Question]
    teacher: Floats
    collections: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Taught:
    """Words with their vectors [words, d], and the vectors of n-grams [buckets, d] for all others."""

    vocabulary: Vocabulary
    words: Floats
    buckets: Floats


class Student(nn.Module):
    """Own vectors [words, d], n-grams' vectors [buckets, d], and a way into the teacher's space [d, t]."""

    def __init__(self, words: Sequence[str], known: int, dimensions: tuple[int, int], buckets: int) -> None:
        super().__init__()
        places = [ngram_places(word, buckets, *NGRAMS) for word in words]
        self._places = np.fromiter(chain.from_iterable(places), dtype=np.int64)
        self._counts = np.array([len(some) for some in places], dtype=np.int64)
        self._starts = np.cumsum(self._counts) - self._counts
        self.known = known
        self.own = nn.Parameter(torch.randn(known, dimensions[0]) * _START)
        self.buckets = nn.Parameter(torch.randn(buckets, dimensions[0]) * _START)
        self.way = nn.Linear(*dimensions, bias=False)

    def words(self, numbers: Rows, spelled: float = 0.0) -> Tensor:
        """The vectors of distinct words with ascending numbers: [words, d]."""
        counts = self._counts[numbers]
        ends = np.cumsum(counts)
        steps = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        places = self._places[np.repeat(self._starts[numbers], counts) + steps]
        rows = embedding_bag(
            torch.from_numpy(places), self.buckets, torch.from_numpy(ends - counts), mode="mean"
        )
        known = torch.from_numpy(numbers[: np.searchsorted(numbers, self.known)])
        own = self.own[known] * (torch.rand(len(known), 1) >= spelled)
        return torch.cat([rows[: len(known)] + own, rows[len(known) :]])

    def questions(self, texts: QuestionTexts, rows: Rows, spelled: float) -> Tensor:
        """Some questions in the teacher's space, of unit length: [questions, t]."""
        fields = [field.take(rows) for field in texts.fields]
        numbers, places = np.unique(np.concatenate([field.ids for field in fields]), return_inverse=True)
        table = self.words(numbers.astype(np.int64), spelled)
        ends = np.cumsum([0, *(len(field.ids) for field in fields)])
        means = [
            _means(table, places[start : start + len(field.ids)], field)
            for field, start in zip(fields, ends, strict=False)
        ]
        filled = np.maximum(sum((field.lengths > 0).astype(np.float32) for field in fields), 1)
        mean = torch.stack(means).sum(0) / torch.from_numpy(np.asarray(filled))[:, None]
        return normalize(self.way(mean), dim=1)


def _means(table: Tensor, places: NDArray[np.int64], texts: Texts) -> Tensor:
    ids = torch.from_numpy(np.ascontiguousarray(places))
    if not len(ids):
        return table.new_zeros(len(texts), table.shape[1])
    return embedding_bag(ids, table, torch.from_numpy(texts.offsets[:-1].copy()), mode="mean")


def distil(
    part: Part,
    lessons: Lessons,
    settings: DistillationSettings,
    seed: int,
    *,
    on_epoch: OnStep = lambda epoch, loss: None,
    progress: Progress = no_progress,
) -> Taught:
    """The word vectors of a part whose network is an average, after learning from a teacher."""
    torch.manual_seed(seed)
    generator = np.random.default_rng(seed)
    vocabulary = count_words(part, lessons.questions)
    texts = Reader(part, vocabulary).read(lessons.questions)
    words = [*vocabulary.words, *texts.strangers]
    dimensions = part.words.dimension, lessons.teacher.shape[1]
    student = Student(words, len(vocabulary), dimensions, settings.buckets)
    optimiser = torch.optim.Adam(student.parameters(), lr=settings.rate)
    nearest = nearest_rows(lessons.teacher, lessons.collections, settings.nearest)
    steps_of_epoch = -(-len(nearest) // settings.batch)
    steps = settings.epochs * steps_of_epoch
    losses = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * (1 - step / steps)
        rows = _batch(nearest, settings, generator)
        losses.append(_step(student, texts, rows, lessons.teacher[rows], settings, optimiser))
        progress(step + 1, steps)
        if (step + 1) % steps_of_epoch == 0:
            on_epoch((step + 1) // steps_of_epoch, float(np.mean(losses)))
            losses.clear()
    return _taught(student, vocabulary)


def _batch(nearest: Rows, settings: DistillationSettings, generator: np.random.Generator) -> Rows:
    """Hard to tell apart: random questions, each with some of those that the teacher holds to be near."""
    many = min(settings.batch // settings.together, len(nearest))
    seeds = generator.choice(len(nearest), many, replace=False)
    some = generator.permutation(nearest.shape[1])[: settings.together - 1]
    return np.unique(np.concatenate([seeds, nearest[seeds][:, some].ravel()]))


def nearest_rows(vectors: Floats, collections: NDArray[np.int64], many: int) -> Rows:
    """Of each row the nearest others of its collection: [rows, many]; itself where there are too few."""
    nearest = np.repeat(np.arange(len(vectors), dtype=np.int64)[:, None], many, axis=1)
    for collection in np.unique(collections):
        rows = np.flatnonzero(collections == collection)
        found = min(many, len(rows) - 1)
        for some in np.array_split(rows, -(-len(rows) // _ROWS_AT_ONCE)) if found else []:
            products = vectors[some] @ vectors[rows].T
            products[np.arange(len(some)), np.searchsorted(rows, some)] = -np.inf
            nearest[some, :found] = rows[np.argpartition(-products, found - 1, axis=1)[:, :found]]
    return nearest


def _step(
    student: Student,
    texts: QuestionTexts,
    rows: Rows,
    teacher: Floats,
    settings: DistillationSettings,
    optimiser: torch.optim.Optimizer,
) -> float:
    vectors = student.questions(texts, rows, settings.spelled)
    loss = _loss(vectors, torch.from_numpy(teacher), settings.scale)
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return float(loss.item())


def _loss(vectors: Tensor, teacher: Tensor, scale: float) -> Tensor:
    """1 − cos with the teacher's vector, and how far the neighbours in the batch differ from its own."""
    apart = 1 - (vectors * teacher).sum(1).mean()
    itself = torch.eye(len(vectors), dtype=torch.bool)
    mine = log_softmax((vectors @ vectors.t() * scale).masked_fill(itself, _NEVER), dim=1)
    theirs = softmax((teacher @ teacher.t() * scale).masked_fill(itself, _NEVER), dim=1)
    return apart + kl_div(mine, theirs, reduction="batchmean")


def _taught(student: Student, vocabulary: Vocabulary) -> Taught:
    """With the way into the teacher's space folded in: a factor L of W Wᵀ keeps all products as they are."""
    with torch.no_grad():
        way = student.way.weight.double().numpy()
        factor = np.linalg.cholesky(way.T @ way + 1e-9 * np.eye(way.shape[1]))
        words = student.words(np.arange(len(vocabulary))).double().numpy() @ factor
        buckets = student.buckets.double().numpy() @ factor
    return Taught(vocabulary, words.astype(np.float32), buckets.astype(np.float32))
