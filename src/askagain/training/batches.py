"""Batches of pairs: which questions are encoded together, and which are each other's negatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from askagain.encoders.recipe import TrainingSettings
from askagain.encoders.texts import Rows
from askagain.training.data import TrainingData
from askagain.training.losses import Lessons


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """Each question once, whatever number of pairs it is in; the lessons count these questions."""

    questions: Rows
    lessons: Lessons


def teaches(data: TrainingData, settings: TrainingSettings) -> bool:
    """Whether any question of a pair ever meets one that is not its duplicate."""
    paired = np.unique(data.groups[data.pairs.ravel()])
    if settings.negatives_from == "archive" or settings.hard:
        return len(paired) > 0 and len(np.unique(data.groups)) > 1
    return len(paired) > 1


class Batches:
    """All pairs of the training data, again and again in another order.

    `hard` [questions, many] are lexical candidates of the questions, -1 where there is none.
    """

    def __init__(
        self,
        data: TrainingData,
        settings: TrainingSettings,
        generator: Generator,
        hard: NDArray[np.int64] | None = None,
    ) -> None:
        self._data = data
        self._settings = settings
        self._generator = generator
        self._hard = hard
        self._duplicates = np.bincount(data.pairs.ravel(), minlength=len(data.questions))

    def __len__(self) -> int:
        return -(-len(self._data.pairs) // self._settings.batch)

    def epoch(self) -> Iterator[TrainingBatch]:
        """Every pair once."""
        order = self._generator.permutation(len(self._data.pairs))
        for start in range(0, len(order), self._settings.batch):
            yield self._batch(self._data.pairs[order[start : start + self._settings.batch]])

    def _batch(self, pairs: NDArray[np.int64]) -> TrainingBatch:
        # Each question of a pair is the anchor of one lesson, unless it has too many duplicates.
        anchors, positives = np.concatenate([pairs, pairs[:, ::-1]]).T
        drawn = self._drawn(len(pairs))
        hard = self._hard_ones(anchors)
        questions = np.unique(np.concatenate([anchors, drawn.ravel(), hard.ravel()]))
        negatives = self._negatives(questions, np.concatenate([drawn, drawn]), hard)
        same = self._data.groups[questions[negatives]] == self._data.groups[anchors][:, None]
        kept = self._duplicates[anchors] <= self._settings.most_positives
        lessons = Lessons(
            torch.from_numpy(np.searchsorted(questions, anchors[kept])),
            torch.from_numpy(np.searchsorted(questions, positives[kept])),
            torch.from_numpy(np.where(same, -1, negatives)[kept]),
        )
        return TrainingBatch(questions, lessons)

    def _drawn(self, pairs: int) -> NDArray[np.int64]:
        """Negatives from the archive: one draw per pair, used for both of its questions (S15, §3.3)."""
        many = self._settings.negatives if self._settings.negatives_from == "archive" else 0
        return self._generator.integers(len(self._data.questions), size=(pairs, many))

    def _hard_ones(self, anchors: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of each anchor some lexical candidates; where there is none itself, which is no negative of it."""
        if self._hard is None:
            return np.zeros((len(anchors), 0), dtype=np.int64)
        asked, places = np.unique(anchors, return_inverse=True)
        picked = self._generator.integers(self._hard.shape[1], size=(len(asked), self._settings.hard))
        chosen = self._hard[asked[:, None], picked]
        return np.where(chosen >= 0, chosen, asked[:, None])[places]

    def _negatives(
        self, questions: Rows, drawn: NDArray[np.int64], hard: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Per lesson, places among the batch's questions."""
        if self._settings.negatives_from == "archive":
            return np.searchsorted(questions, np.hstack([drawn, hard]))
        lessons, size = len(hard), len(questions)
        if self._settings.loss == "softmax":
            # All questions of the batch, the hard ones among them.
            return np.broadcast_to(np.arange(size), (lessons, size))
        random = self._generator.integers(size, size=(lessons, self._settings.negatives))
        return np.hstack([random, np.searchsorted(questions, hard)])
