"""Edges are strong between frequent words that are near each other, in the parse and in meaning."""

import networkx
import numpy as np
import pytest
from handmade_parses import RENEW, chain
from hypothesis import given
from hypothesis import strategies as st

from askagain.encoders.wordvectors import WordVectors
from askagain.rerank.keywords.graph import (
    LEAST_DISTANCE,
    build_graph,
    dependency,
    distances,
    gravity,
    path_lengths,
    steps_from_root,
)
from askagain.rerank.keywords.parsing import ROOT, Parse

ONCE = {"renew": 1, "visa": 1, "qatar": 1}


def vectors(**rows: list[float]) -> WordVectors:
    return WordVectors(tuple(rows), np.array(list(rows.values()), dtype=np.float32))


def test_paths_run_over_the_parse_in_both_directions() -> None:
    lengths = path_lengths(RENEW, [[0], [2], [4]])

    assert lengths.tolist() == [[0, 1, 2], [1, 0, 3], [2, 3, 0]]


def test_a_word_that_is_there_twice_has_its_shortest_path() -> None:
    assert path_lengths(chain(["visa", "a", "b", "car", "c", "visa"]), [[0, 5], [3]])[0, 1] == 2


def test_between_two_trees_there_is_no_path() -> None:
    assert path_lengths(Parse(("one", "two"), (ROOT, ROOT)), [[0], [1]])[0, 1] == np.inf


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_paths_are_those_of_networkx(draws: list[float]) -> None:
    heads = tuple(int(draw * place) - 1 if place else ROOT for place, draw in enumerate(draws))
    parse = Parse(tuple("w" for _ in heads), heads)
    reference = networkx.Graph([(place, head) for place, head in enumerate(heads) if head != ROOT])
    reference.add_nodes_from(range(len(heads)))

    lengths = path_lengths(parse, [[place] for place in range(len(heads))])

    known = {
        (i, j): n for i, row in networkx.all_pairs_shortest_path_length(reference) for j, n in row.items()
    }
    assert all(
        lengths[i, j] == known.get((i, j), np.inf) for i in range(len(heads)) for j in range(len(heads))
    )


def test_depth_is_counted_from_the_root() -> None:
    assert steps_from_root(RENEW, [[0], [1], [4], [1, 2]]) == [0, 2, 2, 1]


def test_dependency_falls_by_the_base_with_each_step() -> None:
    degrees = dependency(np.array([[0, 1, 2, np.inf]]), base=1.4)

    assert degrees == pytest.approx(np.array([[1, 1 / 1.4, 1 / 1.4**2, 0]]))


def test_gravity_is_mass_times_mass_over_the_square_of_the_distance() -> None:
    pull = gravity(np.array([2.0, 3.0]), np.array([[1.0, 2.0], [2.0, 1.0]]))

    assert pull[0, 1] == 2 * 3 / 2**2


def test_distance_is_that_of_the_vectors() -> None:
    assert distances(["a", "b"], vectors(a=[0, 0], b=[3, 4]))[0, 1] == 5


def test_a_word_without_a_vector_is_at_the_mean_distance() -> None:
    found = distances(["a", "new", "b", "c"], vectors(a=[0], b=[1], c=[3]))

    assert found[1] == pytest.approx([2, 2, 2, 2])
    assert found[0, 3] == 3


def test_words_with_one_vector_have_the_least_distance() -> None:
    found = distances(["a", "b", "c"], vectors(a=[0], b=[0], c=[3]))

    assert found[0, 1] == pytest.approx(LEAST_DISTANCE * 2)


@pytest.mark.parametrize(
    "known", [None, vectors(other=[1.0]), vectors(a=[1.0]), vectors(a=[1.0], b=[1.0])], ids=str
)
def test_without_different_vectors_all_distances_are_one(known: WordVectors | None) -> None:
    assert (distances(["a", "b"], known) == 1).all()


def test_the_weight_is_dependency_times_gravity() -> None:
    graph = build_graph(RENEW, {"renew": 1, "visa": 4, "qatar": 2}, vectors(visa=[0, 0], qatar=[0, 5]), 1.4)

    assert graph.words == ("renew", "visa", "qatar")
    assert graph.weights[1, 2] == pytest.approx(1.4**-3 * 4 * 2 / 5**2)
    assert (graph.weights == graph.weights.T).all()
    assert not graph.weights.diagonal().any()


def test_stop_words_and_marks_are_no_vertices_but_steps_on_the_way() -> None:
    graph = build_graph(chain(["visa", "and", "how", "n't", ",", "car"]), {"visa": 1, "car": 1}, None, 1.4)

    assert graph.words == ("visa", "car")
    assert graph.weights[0, 1] == pytest.approx(1.4**-5)


@pytest.mark.parametrize("words", [[], ["the"], ["😀", "!"]])
def test_a_text_of_no_candidates_has_an_empty_graph(words: list[str]) -> None:
    assert build_graph(chain(words), {}, None, 1.4).weights.shape == (0, 0)
