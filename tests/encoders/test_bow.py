"""Bags of words: with frozen IDF weights they are the TF-IDF cosine."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from small_models import BOW, QUESTIONS, encoder_for, vocabulary_for

from askagain.encoders.bow import BowEncoder
from askagain.encoders.vectors import QuestionVectors
from askagain.encoders.vocabulary import count_vocabulary
from askagain.question import Question


def encoded(*questions: Question) -> QuestionVectors:
    encoder = encoder_for(BOW)
    return encoder.encode(encoder.reader.read(questions))


def tf_idf(question: Question) -> dict[str, float]:
    """By hand: counts times log(questions / questions with the word), over known words."""
    collection = [set(f"{q.title} {q.body}".split()) for q in QUESTIONS[:4]]
    counts = Counter(f"{question.title} {question.body}".split())
    having = {word: sum(word in words for words in collection) for word in counts}
    return {word: count * log(4 / having[word]) for word, count in counts.items() if having[word]}


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    product = sum(value * other.get(word, 0.0) for word, value in one.items())
    return product / sqrt(sum(v * v for v in one.values())) / sqrt(sum(v * v for v in other.values()))


def product(vectors: QuestionVectors, one: int, other: int) -> float:
    first, second = (
        dict(zip(row.columns.tolist(), row.values.tolist(), strict=True))
        for row in (vectors.row(one), vectors.row(other))
    )
    return sum(value * second.get(column, 0.0) for column, value in first.items())


@pytest.mark.parametrize(("one", "other"), [(0, 1), (0, 2), (1, 2), (0, 3), (2, 2)])
def test_frozen_idf_weights_give_the_tf_idf_cosine(one: int, other: int) -> None:
    vectors = encoded(*QUESTIONS)
    expected = cosine(tf_idf(QUESTIONS[one]), tf_idf(QUESTIONS[other]))
    assert product(vectors, one, other) == pytest.approx(expected, abs=1e-6)


def test_columns_ascend_and_have_no_repetition() -> None:
    vectors = encoded(*QUESTIONS)
    for number in range(len(vectors)):
        assert (np.diff(vectors.row(number).columns) > 0).all()


def test_a_question_without_known_words_has_no_columns() -> None:
    vectors = encoded(QUESTIONS[4], QUESTIONS[1], Question(""))
    assert np.diff(vectors.offsets).tolist() == [0, 2, 0]


def test_there_is_no_dense_part() -> None:
    assert encoded(*QUESTIONS).dense.shape == (len(QUESTIONS), 0)


def test_words_that_weigh_nothing_divide_by_nothing() -> None:
    vocabulary = vocabulary_for(BOW)
    encoder = BowEncoder(BOW, vocabulary, {"term_weights": np.zeros(len(vocabulary), dtype=np.float32)})
    assert not encoder.encode(encoder.reader.read(QUESTIONS)).values.any()


def test_no_question_at_all() -> None:
    vectors = encoded()
    assert vectors.offsets.tolist() == [0]
    assert len(vectors.columns) == 0


def test_a_vocabulary_without_words() -> None:
    encoder = BowEncoder(BOW, count_vocabulary([]), {"term_weights": np.zeros(0, dtype=np.float32)})
    assert encoder.encode(encoder.reader.read(QUESTIONS)).offsets.tolist() == [0] * 6
