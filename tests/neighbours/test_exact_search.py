"""Exact search gives, bit for bit, what the definition gives."""

import numpy as np
import pytest
from brute_force_vectors import nearest, random_vectors
from hypothesis import given
from hypothesis import strategies as st

from askagain.encoders.vectors import QuestionVectors
from askagain.neighbours import exact
from askagain.neighbours.exact import Hits
from askagain.neighbours.kernels import products_of_many
from askagain.neighbours.rows import Rows, selected


def filled(vectors: QuestionVectors, numbers: list[int]) -> Rows:
    rows = Rows(vectors.dense.shape[1])
    rows.append(numbers, vectors)
    return rows


def pairs(hits: Hits) -> list[tuple[int, float]]:
    return list(zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True))


@given(
    seed=st.integers(0, 10**6),
    count=st.integers(0, 40),
    dimension=st.integers(0, 5),
    columns=st.integers(0, 6),
    queries=st.integers(1, 12),
    k=st.integers(0, 50),
)
def test_the_best_rows_are_those_of_brute_force(
    seed: int, count: int, dimension: int, columns: int, queries: int, k: int
) -> None:
    vectors = random_vectors(seed, count, dimension, columns)
    numbers = np.random.default_rng(seed).permutation(100)[:count].tolist()
    asked = random_vectors(seed + 1, queries, dimension, columns)
    found = exact.search(filled(vectors, numbers), asked, k, columns)
    assert [pairs(hits) for hits in found] == [
        nearest(asked.row(query), vectors, numbers, k) for query in range(queries)
    ]


@pytest.mark.parametrize("queries", [1, 10])
def test_long_vectors_in_several_chunks_are_found_as_well(queries: int) -> None:
    chance = np.random.default_rng(1)
    dense = chance.normal(size=(9000, 48)).astype(np.float32)
    vectors = QuestionVectors(dense, np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(9001, np.int64))
    asked = QuestionVectors(
        dense[:queries] + np.float32(0.1), vectors.columns, vectors.values, vectors.offsets[: queries + 1]
    )
    found = exact.search(filled(vectors, list(range(9000))), asked, 10, 0)
    products = (asked.dense.astype(np.float64)[:, None] * dense.astype(np.float64)).cumsum(axis=2)[:, :, -1]
    for hits, scores in zip(found, products, strict=True):
        order = np.argsort(-scores, kind="stable")[:10]
        assert pairs(hits) == list(zip(order.tolist(), scores[order].tolist(), strict=True))


@pytest.mark.parametrize("queries", [1, 20])
def test_rows_that_differ_less_than_single_precision_can_tell_are_told_apart(queries: int) -> None:
    chance = np.random.default_rng(2)
    base = chance.normal(size=64).astype(np.float32)
    dense = base * (1 + chance.integers(-1, 2, (500, 64)) * 2.0**-23).astype(np.float32)
    vectors = QuestionVectors(dense, np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(501, np.int64))
    asked = selected(vectors, np.arange(queries))
    found = exact.search(filled(vectors, list(range(500))), asked, 5, 0)
    wanted = [nearest(asked.row(query), vectors, list(range(500)), 5) for query in range(queries)]
    assert [pairs(hits) for hits in found] == wanted


def test_equal_scores_are_ordered_by_number() -> None:
    same = random_vectors(0, 1, 4, 4)
    rows = Rows(4)
    for number in [7, 3, 9, 1, 5]:
        rows.append([number], same)
    [hits] = exact.search(rows, same, 3, 4)
    assert hits.numbers.tolist() == [1, 3, 5]


def test_a_score_does_not_depend_on_what_else_is_asked_or_stored() -> None:
    vectors, asked = random_vectors(1, 30, 7, 5), random_vectors(2, 20, 7, 5)
    together = exact.search(filled(vectors, list(range(30))), asked, 30, 5)
    for place in range(30):
        alone = exact.search(filled(vectors.row(place), [place]), asked.row(3), 1, 5)
        assert pairs(alone[0])[0] in pairs(together[3])


def test_given_vectors_have_the_scores_of_a_search() -> None:
    vectors, query = random_vectors(3, 25, 6, 8), random_vectors(4, 1, 6, 8)
    [hits] = exact.search(filled(vectors, list(range(25))), query, 25, 8)
    assert exact.scores_of(query, vectors, 8).tolist() == [score for _, score in sorted(pairs(hits))]


def test_values_that_overflow_no_single_product_are_ordered_right() -> None:
    dense = np.array([[1e15, -1e15], [1e15, -9e14], [1e-20, 1e-20]], dtype=np.float32)
    vectors = QuestionVectors(dense, np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(4, np.int64))
    asked = QuestionVectors(dense[:1], vectors.columns, vectors.values, vectors.offsets[:2])
    [hits] = exact.search(filled(vectors, [1, 2, 3]), asked, 2, 0)
    assert hits.numbers.tolist() == [1, 2]


# Scores of given pairs, and products


@given(seed=st.integers(0, 10**6), dimension=st.integers(0, 5), columns=st.integers(0, 6))
def test_pairs_have_the_scores_that_a_search_gives_them(seed: int, dimension: int, columns: int) -> None:
    vectors, asked = (
        random_vectors(seed, 30, dimension, columns),
        random_vectors(seed + 1, 3, dimension, columns),
    )
    rows = filled(vectors, list(range(30)))
    asking, numbers = np.repeat(np.arange(3), 30), np.tile(np.arange(30)[::-1], 3)
    scores = exact.scores_of_pairs(rows, asked, asking, numbers, columns)
    found = exact.search(rows, asked, 30, columns)
    expected = [dict(pairs(hits))[number] for hits in found for number in range(29, -1, -1)]
    assert scores.tolist() == expected


def test_a_pair_without_a_row_has_no_score() -> None:
    rows = filled(random_vectors(1, 2, 3, 0), [5, 6])
    scores = exact.scores_of_pairs(
        rows, random_vectors(2, 1, 3, 0), np.zeros(2, np.int64), np.array([7, 6]), 0
    )
    assert np.isnan(scores).tolist() == [True, False]


@pytest.mark.parametrize(("queries", "rows"), [(1, 1), (2, 3), (4, 2), (7, 127), (9, 300), (8, 0)])
def test_products_are_those_of_the_definition(queries: int, rows: int) -> None:
    asked, vectors = random_vectors(1, queries, 40, 0).dense, random_vectors(2, rows, 40, 0).dense
    expected = asked.astype(np.float64) @ vectors.astype(np.float64).T
    np.testing.assert_allclose(products_of_many(asked, vectors), expected, rtol=0, atol=1e-4)
