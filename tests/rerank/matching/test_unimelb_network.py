"""The CNN that compares two texts after every level."""

from typing import Any

import numpy as np
import pytest
import torch
from matching_cases import (
    FEATURES,
    featured,
    has_right_gradients,
    log_odds,
    random_pairs,
    unimelb,
    vectors,
)

from askagain.rerank.matching.pairs import FeaturedPairs, word_pairs


def test_its_gradients_are_right() -> None:
    network = unimelb(widths=(2, 2), hidden=3, grid=2, dropout=0.0).double()
    pairs = word_pairs([([0, 1, 2, 3, 4], [5, 6, 7]), ([8, 3], [9, 2, 1, 7]), ([4], [10])])
    features = np.random.default_rng(0).normal(size=(3, FEATURES))
    precise: Any = FeaturedPairs(pairs, vectors().astype(float), features)  # type: ignore[arg-type]
    batch = precise.batch(np.arange(3))

    assert has_right_gradients(network, batch)


def test_texts_become_shorter_from_level_to_level() -> None:
    network = unimelb(k_top=2)
    texts = featured(word_pairs([(list(range(9)), [])])).batch(np.array([0])).first

    levels = list(network._levels(texts, vectors()))

    assert [columns.lengths.tolist() for columns in levels] == [[9], [6], [3], [2]]
    assert [columns.values.shape[1] for columns in levels] == [9, 6, 3, 2]


def test_the_mlp_reads_two_grids_per_level_and_the_features() -> None:
    network = unimelb(grid=3, hidden=8, layers=3)

    shapes = [tuple(weight.shape) for name, weight in network.mlp.named_parameters() if "weight" in name]

    assert shapes == [(8, 4 * 2 * 9 + FEATURES), (8, 8), (8, 8), (2, 8)]


def test_the_order_of_words_matters_beyond_the_first_level() -> None:
    inputs = featured(word_pairs([([1, 2, 3, 4], [1, 2, 3, 4]), ([1, 2, 3, 4], [3, 1, 4, 2])]))
    both = inputs.batch(np.array([0, 1]))

    def last(texts: Any) -> Any:
        return list(unimelb()._levels(texts, vectors()))[-1].values.detach().numpy()

    same, other = last(both.second)
    assert np.abs(same - last(both.first)[0]).max() < 1e-6
    assert np.abs(other - same).max() > 1e-3


def test_features_count_by_their_distance_from_the_mean() -> None:
    pairs = random_pairs(4)
    features = np.array([[1, 5], [2, 5], [3, 5], [4, 5]], dtype=np.float32)
    raw, scaled = (FeaturedPairs(pairs, vectors(), which) for which in (features, 1000 * features))
    first, second = unimelb(), unimelb()

    first.features.measure(raw.features)
    second.features.measure(scaled.features)

    found = log_odds(second, scaled, [0, 1, 2, 3])
    assert found == pytest.approx(log_odds(first, raw, [0, 1, 2, 3]), abs=1e-5)
    assert np.isfinite(found).all()


def test_without_features_texts_are_still_compared() -> None:
    network = unimelb()
    bare = type(network)(network.settings, vectors().shape[1], features=0)
    pairs = FeaturedPairs(random_pairs(3), vectors(), np.zeros((3, 0), dtype=np.float32))

    bare.features.measure(pairs.features)

    assert np.isfinite(log_odds(bare, pairs, [0, 1, 2])).all()


def test_dropout_is_for_learning_only() -> None:
    network, inputs = unimelb(), featured(random_pairs(5))
    batch = inputs.batch(np.arange(5))

    network.train()
    assert not torch.equal(network(batch), network(batch))
    network.eval()
    assert torch.equal(network(batch), network(batch))
