"""Scores are those of weighted PageRank, times the number of vertices."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askagain.rerank.keywords.graph import Matrix
from askagain.rerank.keywords.textrank import textrank


def symmetric(upper: Matrix) -> Matrix:
    weights = np.triu(upper, 1)
    return weights + weights.T


@given(
    st.integers(2, 12).flatmap(lambda n: arrays(np.float64, (n, n), elements=st.floats(0.01, 100))),
    st.floats(0, 0.9),
)
def test_scores_are_networkxs_weighted_pagerank(upper: Matrix, damping: float) -> None:
    weights = symmetric(upper)
    reference = networkx.pagerank(networkx.from_numpy_array(weights), alpha=damping, tol=1e-12, max_iter=1000)

    scores = textrank(weights, damping)

    assert scores / len(weights) == pytest.approx(np.array(list(reference.values())), abs=1e-8)


def test_scores_solve_the_equation() -> None:
    weights = np.array([[0, 2, 1], [2, 0, 0], [1, 0, 0]], dtype=np.float64)

    first, second, third = textrank(weights, 0.8)

    assert first == pytest.approx(0.2 + 0.8 * (second + third))
    assert second == pytest.approx(0.2 + 0.8 * 2 / 3 * first)
    assert third == pytest.approx(0.2 + 0.8 * 1 / 3 * first)


def test_a_vertex_without_edges_has_what_everybody_has() -> None:
    assert textrank(np.zeros((1, 1)), 0.8) == pytest.approx([0.2])


def test_an_empty_graph_has_no_scores() -> None:
    assert textrank(np.zeros((0, 0)), 0.8).tolist() == []


def test_the_unit_of_the_weights_does_not_matter() -> None:
    weights = symmetric(np.random.default_rng(1).random((6, 6)))

    assert textrank(weights * 1e-60, 0.8) == pytest.approx(textrank(weights, 0.8))
