"""What holds for each network that judges pairs."""

from typing import Any

import numpy as np
import pytest
import torch
from matching_cases import HOSTILE, NETWORKS, log_odds, random_pairs

from askagain.rerank.matching.pairs import WordPairs, word_pairs

each_network = pytest.mark.parametrize(("make", "read"), NETWORKS.values(), ids=NETWORKS.keys())


@each_network
def test_a_pair_s_score_does_not_depend_on_its_batch(make: Any, read: Any) -> None:
    network, inputs = make(), read(random_pairs(40))

    together = log_odds(network, inputs, list(range(40)))

    alone = [log_odds(network, inputs, [pair])[0] for pair in range(40)]
    backwards = log_odds(network, inputs, list(range(39, -1, -1)))[::-1]
    assert np.abs(together - alone).max() < 1e-6
    assert np.abs(together - backwards).max() < 1e-6


@each_network
def test_any_texts_have_a_finite_score(make: Any, read: Any) -> None:
    found = log_odds(make(), read(word_pairs(HOSTILE)), list(range(len(HOSTILE))))

    assert np.isfinite(found).all()


@each_network
def test_no_texts_have_steep_gradients(make: Any, read: Any) -> None:
    network, pairs = make(), word_pairs(HOSTILE)

    network(read(pairs).batch(np.arange(len(pairs)))).sum().backward()

    assert all(weight.grad.abs().max() < 1000 for weight in network.parameters())


@each_network
def test_a_batch_of_empty_texts_has_scores(make: Any, read: Any) -> None:
    assert np.isfinite(log_odds(make(), read(word_pairs([([], []), ([], [])])), [0, 1])).all()


@each_network
def test_a_long_text_has_a_score(make: Any, read: Any) -> None:
    words = np.random.default_rng(0).integers(12, size=2000)

    assert np.isfinite(log_odds(make(), read(word_pairs([(words, words[:3])])), [0])).all()


@each_network
def test_its_weights_make_the_same_network(make: Any, read: Any) -> None:
    network, inputs = make(seed=1), read(random_pairs(5))
    kept = {name: weight.numpy().copy() for name, weight in network.state_dict().items()}

    again = make(seed=2)
    again.load_state_dict({name: torch.from_numpy(weight) for name, weight in kept.items()})

    rows = list(range(5))
    assert np.array_equal(log_odds(again, inputs, rows), log_odds(network, inputs, rows))


@each_network
def test_the_seed_decides_the_first_weights(make: Any, read: Any) -> None:
    def weights(seed: int) -> torch.Tensor:
        return torch.cat([weight.flatten() for weight in make(seed=seed).parameters()])

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


@each_network
def test_first_weights_leave_other_random_numbers_alone(make: Any, read: Any) -> None:
    before = torch.get_rng_state()

    make()

    assert torch.equal(torch.get_rng_state(), before)


def test_pairs_are_more_than_one_sided() -> None:
    """A pair is not the same pair the other way round: the cases tell one side from the other."""
    pairs = random_pairs(10)
    make, read = NETWORKS["decomposition, separate"]
    turned = WordPairs(pairs.second, pairs.first)

    rows = list(range(10))
    assert not np.allclose(log_odds(make(), read(pairs), rows), log_odds(make(), read(turned), rows))
