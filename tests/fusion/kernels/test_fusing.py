"""Results of several retrievers as one list."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askagain.fusion.kernels.fusing import GONE, by_reciprocal_rank

PLACES = 8
RETRIEVERS = 2


def fused(questions: list[list[list[int]]], own: list[int], depth: int) -> list[list[int]]:
    results = [result for results in questions for result in results]
    found, starts = by_reciprocal_rank(
        np.array([place for result in results for place in result], dtype=np.int64),
        np.cumsum([0, *map(len, results)]),
        RETRIEVERS,
        np.array(own),
        PLACES,
        depth,
    )
    return [found[start:end].tolist() for start, end in pairwise(starts)]


def test_what_both_have_found_comes_first() -> None:
    assert fused([[[3, 1, 2], [5, 2]]], [GONE], 10) == [[2, 3, 5, 1]]


def test_of_equals_the_one_that_was_met_first_comes_first() -> None:
    assert fused([[[4, 0], [0, 4]]], [GONE], 10) == [[4, 0]]


def test_a_question_itself_and_what_is_gone_have_no_rank() -> None:
    assert fused([[[6, GONE, 1, 2], []]], [6], 1) == [[1]]


def test_questions_do_not_disturb_each_other() -> None:
    one, other = [[1, 2], [2, 3]], [[2], [4, 1]]
    assert fused([one, other], [GONE, 4], 5) == fused([one], [GONE], 5) + fused([other], [4], 5)


def naive(results: list[list[int]], own: int, depth: int) -> list[int]:
    sums: dict[int, float] = {}
    for result in results:
        counted = [place for place in result if place not in (own, GONE)][:depth]
        for rank, place in enumerate(counted, start=1):
            sums[place] = sums.get(place, 0.0) + 1 / (60 + rank)
    return sorted(sums, key=sums.__getitem__, reverse=True)


RESULT = st.lists(st.integers(0, PLACES - 1), unique=True)
QUESTION = st.tuples(
    st.lists(RESULT, min_size=RETRIEVERS, max_size=RETRIEVERS), st.integers(GONE, PLACES - 1)
)


@given(st.lists(QUESTION, max_size=4), st.integers(0, PLACES))
def test_the_kernel_equals_the_definition(questions: list[tuple[list[list[int]], int]], depth: int) -> None:
    own = [place for _, place in questions]
    expected = [naive(results, place, depth) for results, place in questions]
    assert (
        fused([results for results, _ in questions], np.array(own, dtype=np.int64).tolist(), depth)
        == expected
    )
