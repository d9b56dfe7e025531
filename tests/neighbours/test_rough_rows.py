"""Rows in 8 bits a number, and how far they are from the true ones."""

import numpy as np
import pytest
from brute_force_vectors import nearest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askagain.encoders.vectors import Floats, QuestionVectors
from askagain.neighbours import exact
from askagain.neighbours.rough import RoughRows
from askagain.neighbours.rows import Rows

CAPACITY = 40
SIZES = st.sampled_from([0.0, 1e-45, 1e-38, 1e-3, 1.0, 1e15])
VALUES = st.builds(lambda size, share: np.float32(size * share), SIZES, st.floats(-1, 1))
MATRICES = st.integers(0, 6).flatmap(
    lambda dimension: arrays(np.float32, st.tuples(st.integers(1, 8), st.just(dimension)), elements=VALUES)
)


def rough_of(*parts: Floats) -> RoughRows:
    rough = RoughRows(CAPACITY, parts[0].shape[1])
    for end in range(1, len(parts) + 1):
        rough.follow(np.concatenate(parts[:end]))
    return rough


def as_vectors(dense: Floats) -> QuestionVectors:
    return QuestionVectors(
        dense, np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(len(dense) + 1, np.int64)
    )


def differences(dense: Floats, rough: RoughRows) -> np.ndarray:
    meant = rough.codes.astype(np.float64) * rough.scales.astype(np.float64)[:, np.newaxis]
    return np.linalg.norm(dense.astype(np.float64) - meant, axis=1)


@given(MATRICES)
def test_no_row_is_further_away_than_is_said(dense: Floats) -> None:
    rough = rough_of(dense)
    assert differences(dense, rough).max() <= rough.error * (1 + 1e-12)


def test_a_row_of_ordinary_values_is_near() -> None:
    dense = np.random.default_rng(0).normal(size=(CAPACITY, 64)).astype(np.float32)
    lengths = np.linalg.norm(dense, axis=1)
    assert (differences(dense, rough_of(dense)) / lengths).max() < 0.02


def test_rows_that_come_later_are_taken_over_as_at_once() -> None:
    dense = np.random.default_rng(1).normal(size=(CAPACITY, 5)).astype(np.float32)
    at_once, later = rough_of(dense), rough_of(dense[:3], dense[3:4], dense[4:])
    np.testing.assert_array_equal(at_once.codes, later.codes)
    np.testing.assert_array_equal(at_once.scales, later.scales)
    assert at_once.error == later.error


# What search makes of them


@given(dense=MATRICES, data=st.data())
def test_the_best_rows_are_the_true_ones_however_rough_they_are(dense: Floats, data: st.DataObject) -> None:
    query = data.draw(arrays(np.float32, (1, dense.shape[1]), elements=VALUES))
    rows = Rows(dense.shape[1])
    rows.append(range(len(dense)), as_vectors(dense))
    [hits] = exact.search(rows, as_vectors(query), 3, 0)
    found = list(zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True))
    assert found == nearest(as_vectors(query), as_vectors(dense), list(range(len(dense))), 3)


@pytest.mark.parametrize("queries", [1, 3])
def test_rows_with_one_value_that_hides_all_others_are_told_apart(queries: int) -> None:
    chance = np.random.default_rng(3)
    dense = chance.normal(size=(300, 32)).astype(np.float32)
    dense[:, 0] = 1e4
    asked = chance.normal(size=(queries, 32)).astype(np.float32)
    asked[:, 0] = 0
    rows = Rows(32)
    rows.append(range(300), as_vectors(dense))
    assert not rows.chunks[0].rough.codes[:, 1:].any()
    for hits, query in zip(exact.search(rows, as_vectors(asked), 5, 0), asked, strict=True):
        wanted = nearest(as_vectors(query[np.newaxis]), as_vectors(dense), list(range(300)), 5)
        assert hits.numbers.tolist() == [number for number, _ in wanted]
