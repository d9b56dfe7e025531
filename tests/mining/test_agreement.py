"""How well found groups agree with known ones."""

import pytest

from askagain.mining.agreement import b_cubed, pairs_in, pairwise

KNOWN = [{"a", "b", "c"}, {"d", "e"}]


def test_what_is_found_exactly_is_perfect() -> None:
    assert pairwise(pairs_in(KNOWN), pairs_in(KNOWN)) == (1, 1)
    assert b_cubed(KNOWN, KNOWN) == (1, 1)


def test_pairs_count_once_whatever_their_order() -> None:
    assert pairs_in([["b", "a", "c"]]) == {("a", "b"), ("a", "c"), ("b", "c")}


def test_pairwise_counts_pairs() -> None:
    found = [{"a", "b"}, {"c", "d"}]

    assert pairwise(pairs_in(found), pairs_in(KNOWN)) == (1 / 2, 1 / 4)


def test_b_cubed_is_a_mean_over_questions() -> None:
    found = [{"a", "b", "d"}, {"x", "y"}]
    # a: 2/3 and 2/3; b: the same; c, d, e: alone or with strangers.
    precision = (2 / 3 + 2 / 3 + 1 + 1 / 3 + 1) / 5
    recall = (2 / 3 + 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2) / 5

    assert b_cubed(found, KNOWN) == pytest.approx((precision, recall))


def test_nothing_found_is_precise_and_incomplete() -> None:
    assert pairwise(set(), pairs_in(KNOWN)) == (1, 0)
    assert b_cubed([], KNOWN) == pytest.approx((1, (3 * 1 / 3 + 2 * 1 / 2) / 5))
