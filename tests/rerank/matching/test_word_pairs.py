"""Pairs of texts, and the batches they come in."""

import numpy as np
import pytest
from matching_cases import FEATURES, random_pairs, vectors

from askagain.rerank.matching.pairs import FeaturedPairs, filled, row_batches, word_pairs


def test_pairs_have_two_texts_each() -> None:
    pairs = word_pairs([([1, 2], [3]), ([], [4, 5, 6])])

    assert len(pairs) == 2
    assert pairs.first[0].tolist() == [1, 2]
    assert pairs.second[1].tolist() == [4, 5, 6]
    assert pairs.lengths.tolist() == [3, 3]


def test_some_pairs_can_be_taken() -> None:
    taken = word_pairs([([1], [2]), ([3], [4]), ([5], [6])]).take([2, 0])

    assert [taken.first[0].tolist(), taken.second[1].tolist()] == [[5], [2]]


def test_short_texts_are_filled_up() -> None:
    texts = filled(word_pairs([([1, 2], []), ([], []), ([3], [])]).first, np.array([2, 1, 0]))

    assert texts.ids.tolist() == [[3, -1], [-1, -1], [1, 2]]
    assert texts.lengths.tolist() == [1, 0, 2]


def test_a_batch_has_the_features_of_its_pairs() -> None:
    features = np.arange(6, dtype=np.float32).reshape(3, FEATURES)
    pairs = FeaturedPairs(random_pairs(3), vectors(), features)

    assert pairs.batch(np.array([2, 0])).features.tolist() == [[4, 5], [0, 1]]


@pytest.mark.parametrize("seed", [None, 0])
def test_every_pair_is_in_one_batch(seed: int | None) -> None:
    generator = None if seed is None else np.random.default_rng(seed)

    batches = list(row_batches(random_pairs(100).lengths, 8, generator))

    assert sorted(np.concatenate(batches)) == list(range(100))
    assert max(map(len, batches)) == 8


def test_pairs_of_a_batch_are_of_like_length() -> None:
    lengths = random_pairs(400, longest=50).lengths

    spreads = [np.ptp(lengths[rows]) for rows in row_batches(lengths, 8, np.random.default_rng(0))]

    assert np.mean(spreads) < 0.2 * np.ptp(lengths)


def test_the_seed_decides_the_order() -> None:
    lengths = random_pairs(50).lengths

    def order(seed: int) -> list[int]:
        batches = row_batches(lengths, 8, np.random.default_rng(seed))
        return [row for rows in batches for row in rows.tolist()]

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_without_pairs_there_are_no_batches() -> None:
    assert list(row_batches(word_pairs([]).lengths, 8)) == []
    assert list(row_batches(word_pairs([]).lengths, 8, np.random.default_rng(0))) == []
