"""Lists that are left out are scored by what was learned from others."""

from dataclasses import replace

import numpy as np
import pytest
from example_cases import made
from hypothesis import given
from hypothesis import strategies as st

from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Score, folds_of, mean_average_precision, scores_left_out
from askagain.rerank.matrix import Matrix


def numbered(lists: int = 10) -> Examples:
    """The only feature of a pair is the number of its list."""
    examples = made(lists)
    return Examples(examples.lists[:, None].astype(float), examples.labels, examples.lists)


class Remembering:
    """Gives 1 to lists that it has learned from."""

    def __init__(self) -> None:
        self.seen: list[set[int]] = []

    def __call__(self, examples: Examples) -> Score:
        seen = set(examples.lists.tolist())
        self.seen.append(seen)

        def score(matrix: Matrix) -> Matrix:
            return np.isin(matrix[:, 0], list(seen)).astype(float)

        return score


def test_no_list_is_scored_by_what_has_seen_it() -> None:
    assert not scores_left_out(Remembering(), numbered(), folds=4, seed=0).any()


@pytest.mark.parametrize(("folds", "times"), [(4, 4), (10, 10), (50, 10)])
def test_it_learns_once_per_fold_and_each_list_is_left_out_once(folds: int, times: int) -> None:
    learner = Remembering()
    scores_left_out(learner, numbered(), folds, seed=0)
    left_out = [number for seen in learner.seen for number in set(range(10)) - seen]

    assert len(learner.seen) == times
    assert sorted(left_out) == list(range(10))


def test_the_seed_says_which_lists_are_together() -> None:
    first, same, other = Remembering(), Remembering(), Remembering()
    for learner, seed in ((first, 0), (same, 0), (other, 1)):
        scores_left_out(learner, numbered(), 4, seed)

    assert first.seen == same.seen != other.seen


def grouped(groups: list[int]) -> Examples:
    """One list of ten per number, in the group of that number."""
    examples = numbered(len(groups))
    return replace(examples, groups=np.array(groups)[examples.lists])


@pytest.mark.parametrize("seed", range(5))
def test_lists_of_one_group_are_left_out_together(seed: int) -> None:
    learner = Remembering()
    scores_left_out(learner, grouped([0, 1, 0, 2, 1, 3]), 4, seed)

    left_out = [set(range(6)) - seen for seen in learner.seen]
    assert sorted(map(sorted, left_out)) == [[0, 2], [1, 4], [3], [5]]


def test_every_pair_is_in_one_fold() -> None:
    folds = np.stack(list(folds_of(grouped([0, 1, 0, 2, 1, 3, 4]), 3, seed=0)))
    assert folds.shape == (3, 70)
    assert (folds.sum(axis=0) == 1).all()


def test_some_lists_keep_their_groups() -> None:
    some = grouped([5, 7, 5]).of([1, 2])
    assert some.groups is not None
    assert some.groups.tolist() == [7] * 10 + [5] * 10
    assert numbered().of([1]).groups is None


def test_average_precision_by_hand() -> None:
    examples = Examples(np.zeros((4, 1)), np.array([True, False, True, False]), np.array([0, 0, 0, 1]))
    # The duplicates come first and third: (1/1 + 2/3) / 2; the list without a duplicate does not count.
    assert mean_average_precision(np.array([3.0, 2.0, 1.0, 0.0]), examples) == pytest.approx(5 / 6)


def test_without_duplicates_it_is_nothing() -> None:
    assert (
        mean_average_precision(np.zeros(2), Examples(np.zeros((2, 1)), np.zeros(2, bool), np.zeros(2))) == 0
    )


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 3)), min_size=1, max_size=20))
def test_it_agrees_with_a_slow_reference(pairs: list[tuple[int, bool, int]]) -> None:
    """Lists need not stand together, and equal scores keep their order."""
    found = []
    for list_ in {pair[0] for pair in pairs}:
        inside = sorted((pair for pair in pairs if pair[0] == list_), key=lambda pair: -pair[2])
        hits = [place for place, pair in enumerate(inside, start=1) if pair[1]]
        if hits:
            found.append(np.mean([number / place for number, place in enumerate(hits, start=1)]))
    lists, labels, scores = (np.array(column) for column in zip(*pairs, strict=True))

    given = mean_average_precision(scores.astype(float), Examples(np.zeros((len(pairs), 1)), labels, lists))

    assert given == pytest.approx(np.mean(found) if found else 0.0)
