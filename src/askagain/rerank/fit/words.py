"""The word vectors of networks that match words: from files, from the lists' own text, or both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from askagain.encoders.settings import WordSettings
from askagain.encoders.skipgram import SkipgramSettings, train_skipgram
from askagain.encoders.vectorfiles import load_vectors
from askagain.encoders.wordvectors import WordVectors, joined
from askagain.question import Question
from askagain.rerank.features.texts import prepare
from askagain.sources.base import Progress

_EPOCHS = 15


def word_vectors(
    settings: WordSettings, questions: Sequence[Question], seed: int, progress: Progress
) -> WordVectors:
    """All words of the files, whether they are in the lists or not: questions to come may have them."""
    given = [load_vectors(Path(file)) for file in settings.files]
    if settings.own:
        sentences = [
            list(prose.words)
            for question in questions
            for prose in (prepare(question).title, prepare(question).body)
            if prose.words
        ]
        skipgram = SkipgramSettings(
            dimension=settings.dimension, min_count=settings.min_count, epochs=_EPOCHS
        )
        given.append(train_skipgram(sentences, skipgram, seed=seed, progress=progress))
    words = tuple(dict.fromkeys(word for vectors in given for word in vectors.words))
    return joined(given, words)
