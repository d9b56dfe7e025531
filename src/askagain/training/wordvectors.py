"""The words of a part and their first vectors: learned from the archive's own text, from files, or both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from askagain.encoders.reading import Reader
from askagain.encoders.settings import Part, WordSettings
from askagain.encoders.shipped import SHIPPED_WORDS, shipped_word_vectors
from askagain.encoders.skipgram import SkipgramSettings, train_skipgram
from askagain.encoders.vectorfiles import load_vectors
from askagain.encoders.vectors import Floats
from askagain.encoders.vocabulary import Vocabulary, count_vocabulary
from askagain.encoders.wordvectors import WordVectors, joined, of_unit_mean_length
from askagain.errors import TrainingError
from askagain.question import Question
from askagain.sources.base import Progress, no_progress
from askagain.training.keptvectors import KeptVectors

_FEWEST_PASSES, _MOST_PASSES = 10, 30
_ENOUGH_CHARACTERS = 3_000_000


def count_words(part: Part, questions: Sequence[Question]) -> Vocabulary:
    """The words of all questions that are frequent enough."""
    reader = Reader(part, count_vocabulary([]))
    least = 1 if part.kind == "bow" else part.words.min_count
    every = [[term for terms in reader.terms(question) for term in terms] for question in questions]
    counted = count_vocabulary(every, least)
    if not counted.words:
        # A forum of a few questions has no word twice.
        counted = count_vocabulary(every)
    if not counted.words:
        raise TrainingError("the questions have no words to learn from: import questions with text first")
    return counted


def first_vectors(
    part: Part,
    vocabulary: Vocabulary,
    questions: Sequence[Question],
    seed: int,
    progress: Progress = no_progress,
    kept: KeptVectors | None = None,
) -> tuple[Vocabulary, Floats]:
    """The words that have a vector, and the vectors; from the archive and from files, side by side.

    What `kept` has is not learned again.
    """
    settings = part.words
    given = [_given_vectors(source, vocabulary.words) for source in settings.files]
    if settings.own:
        given.append(_own_vectors(part, vocabulary.words, questions, seed, progress, kept))
    found = joined(given, vocabulary.words)
    has_vector = np.array([any(word in vectors for vectors in given) for word in vocabulary.words])
    if not has_vector.any():
        raise TrainingError(
            "no word of the questions has a vector: give files that have their words, or set "
            "parts.words.min_count = 1"
        )
    words = tuple(word for word, has in zip(vocabulary.words, has_vector, strict=True) if has)
    known = Vocabulary(words, vocabulary.documents[has_vector], vocabulary.questions)
    return known, of_unit_mean_length(found.matrix[has_vector])


def _given_vectors(source: str, words: Sequence[str]) -> WordVectors:
    if source == SHIPPED_WORDS:
        return shipped_word_vectors(words)
    return load_vectors(Path(source), set(words))


def _own_vectors(
    part: Part,
    words: Sequence[str],
    questions: Sequence[Question],
    seed: int,
    progress: Progress,
    kept: KeptVectors | None,
) -> WordVectors:
    vectors = kept.load() if kept else None
    if vectors is None:
        start = _given_vectors(part.words.start, words) if part.words.start else None
        vectors = _learned_vectors(part, questions, seed, start, progress)
        if kept:
            kept.save(vectors)
    return vectors


def _learned_vectors(
    part: Part, questions: Sequence[Question], seed: int, start: WordVectors | None, progress: Progress
) -> WordVectors:
    settings = SkipgramSettings(
        dimension=part.words.dimension, min_count=part.words.min_count, epochs=_passes(questions)
    )
    return train_skipgram(sentences(part, questions), settings, seed=seed, start=start, progress=progress)


def _passes(questions: Sequence[Question]) -> int:
    """How often the text is read: after ten times a small one has left all vectors pointing the same way."""
    characters = sum(len(question.title) + len(question.body) for question in questions)
    return max(_FEWEST_PASSES, min(_MOST_PASSES, _ENOUGH_CHARACTERS // max(characters, 1)))


def sentences(part: Part, questions: Sequence[Question]) -> Iterator[list[str]]:
    """Title and body of each question, whole."""
    reader = Reader(part, count_vocabulary([]))
    for question in questions:
        for post in (question.title, question.body):
            terms = reader.all_terms(post)
            if terms:
                yield terms


def input_factors(settings: WordSettings, vocabulary: Vocabulary, size: int) -> Floats:
    """What each word's vector is multiplied by, for so many words; those after the last are strangers."""
    if not settings.idf_inputs:
        return np.ones(size, dtype=np.float32)
    stranger = np.log(max(vocabulary.questions, 1))
    return np.concatenate([vocabulary.idf, np.full(size - len(vocabulary), stranger, dtype=np.float32)])
