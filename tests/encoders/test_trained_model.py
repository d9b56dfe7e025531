"""A model of several parts: vectors side by side, each part with its weight in the score."""

import numpy as np
import pytest
from small_models import BOW, CNN, QUESTIONS, RCNN, model_for

from askagain.encoders import model as model_module
from askagain.encoders.settings import Part
from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.neighbours.exact import scores_of

MIXED = (CNN, BOW, RCNN, BOW)


def cosines(part: Part) -> Floats:
    """All questions with all: of one part alone."""
    model = model_for(part)
    vectors = model.encode(QUESTIONS)
    whole = np.hstack([vectors.dense, sparse_as_dense(vectors, model.columns)])
    return whole @ whole.T


def sparse_as_dense(vectors: QuestionVectors, columns: int) -> Floats:
    rows = np.zeros((len(vectors), columns), dtype=np.float32)
    rows[np.repeat(np.arange(len(vectors)), np.diff(vectors.offsets)), vectors.columns] = vectors.values
    return rows


def test_scores_are_the_weighted_sum_of_the_parts_cosines() -> None:
    shares = [0.5, 2.0, 0.25, 3.0]
    model = model_for(*MIXED, weights=shares)
    vectors = model.encode(QUESTIONS)
    queries = model.as_queries(vectors)
    scores = [scores_of(queries.row(number), vectors, model.columns) for number in range(len(QUESTIONS))]
    expected = sum(share * cosines(part) for share, part in zip(shares, MIXED, strict=True))
    np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_dimension_and_columns_are_those_of_all_parts() -> None:
    model = model_for(*MIXED)
    vectors = model.encode(QUESTIONS)
    assert vectors.dense.shape == (len(QUESTIONS), model.dimension) == (len(QUESTIONS), 10)
    assert model.columns == 2 * model_for(BOW).columns


def test_columns_of_several_parts_ascend_in_each_question() -> None:
    vectors = model_for(BOW, CNN, BOW).encode(QUESTIONS)
    for number in range(len(QUESTIONS)):
        assert (np.diff(vectors.row(number).columns) > 0).all()
    assert (
        np.diff(vectors.offsets).tolist() == (2 * np.diff(model_for(BOW).encode(QUESTIONS).offsets)).tolist()
    )


def test_texts_that_were_read_before_give_the_same() -> None:
    model = model_for(BOW, CNN)
    texts = [part.reader.read(QUESTIONS) for part in model.parts]
    again, vectors = model.encode_texts(texts), model.encode(QUESTIONS)
    np.testing.assert_array_equal(again.dense, vectors.dense)
    np.testing.assert_array_equal(again.values, vectors.values)


def test_progress_counts_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = model_for(BOW, CNN).encode(QUESTIONS)
    monkeypatch.setattr(model_module, "_QUESTIONS_AT_ONCE", 2)
    seen: list[tuple[int, int]] = []
    vectors = model_for(BOW, CNN).encode(QUESTIONS, lambda done, total: seen.append((done, total)))
    assert seen == [(2, 5), (4, 5), (5, 5)]
    np.testing.assert_allclose(vectors.dense, at_once.dense, atol=1e-6)
    np.testing.assert_array_equal(vectors.offsets, at_once.offsets)


def test_no_question_at_all() -> None:
    model = model_for(BOW, CNN)
    vectors = model.as_queries(model.encode([]))
    assert vectors.dense.shape == (0, model.dimension)
    assert vectors.offsets.tolist() == [0]
