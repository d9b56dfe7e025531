"""The two-channel CNN over similar and dissimilar parts of words."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from matching_cases import (
    DIMENSION,
    HOSTILE,
    aligned,
    decomposition,
    has_right_gradients,
    log_odds,
    random_pairs,
)

from askagain.rerank.matching.alignment import AlignedPairs, decompose
from askagain.rerank.matching.decomposition_network import DecompositionNetwork
from askagain.rerank.matching.pairs import word_pairs
from askagain.rerank.matching.settings import DecompositionSettings


def slow_features(network: DecompositionNetwork, words: Any, covered: Any) -> Any:
    """As the equation has it: both parts of each word, each window, each filter."""
    width = network.settings.width
    missing = max(0, width - len(words))
    parts = [np.pad(part, ((0, missing), (0, 0))) for part in decompose(words, covered)]
    filters, bias = network.filters.detach().numpy(), network.bias.detach().numpy()
    windows = []
    for start in range(len(parts[0]) - width + 1):
        similar = sum(parts[0][start + p] @ filters[0, p] for p in range(width))
        dissimilar = sum(parts[1][start + p] @ filters[-1, p] for p in range(width))
        windows.append(similar + dissimilar + bias)
    f = np.tanh if network.settings.activation == "tanh" else lambda x: np.maximum(x, 0)
    return f(np.array(windows)).max(axis=0)


def slow_log_odds(network: DecompositionNetwork, inputs: AlignedPairs, pair: int) -> float:
    batch = inputs.batch(np.array([pair]))
    both = [
        slow_features(network, batch.vectors[side.texts.ids[0]], side.covered[0])
        for side in (batch.first, batch.second)
    ]
    weight, bias = (weights.detach().numpy() for weights in network.output.parameters())
    return float(weight[0] @ np.concatenate([*both, batch.features[0]]) + bias[0])


@pytest.mark.parametrize("channels", ["shared", "separate"])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_it_is_what_the_equation_says(channels: str, activation: str) -> None:
    network = decomposition(channels=channels, activation=activation)
    torch.nn.init.uniform_(network.bias, generator=torch.Generator().manual_seed(1))
    inputs = aligned(word_pairs(HOSTILE))

    found = log_odds(network, inputs, list(range(len(HOSTILE))))

    wanted = [slow_log_odds(network, inputs, pair) for pair in range(len(HOSTILE))]
    assert found == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("channels", ["shared", "separate"])
def test_its_gradients_are_right(channels: str) -> None:
    network = decomposition(filters=2, width=2, channels=channels).double()
    pairs = aligned(random_pairs(3, seed=4))
    precise = AlignedPairs(
        pairs.pairs, pairs.vectors.astype(float), pairs.features, pairs.first_covered, pairs.second_covered
    )
    batch = precise.batch(np.arange(3))  # type: ignore[arg-type]

    assert has_right_gradients(network, batch)


def test_separate_filters_that_are_equal_are_shared_filters() -> None:
    shared, separate = decomposition(), decomposition(channels="separate")
    weights = shared.state_dict()
    separate.load_state_dict({**weights, "filters": weights["filters"].expand(2, -1, -1, -1)})
    inputs, rows = aligned(random_pairs(20)), list(range(20))

    assert log_odds(separate, inputs, rows) == pytest.approx(log_odds(shared, inputs, rows), abs=1e-6)
    assert separate.filters.numel() == 2 * shared.filters.numel()


@pytest.mark.parametrize(("channels", "matters"), [("shared", False), ("separate", True)])
def test_only_separate_filters_see_what_the_other_text_covers(channels: str, *, matters: bool) -> None:
    """s⁺ + s⁻ = s: filters that both parts share read the word as if it had never been divided."""
    network = decomposition(channels=channels)
    pairs = random_pairs(20)
    found = aligned(pairs)
    nothing = replace(found, first_covered=0 * found.first_covered, second_covered=0 * found.second_covered)

    difference = log_odds(network, found, list(range(20))) - log_odds(network, nothing, list(range(20)))

    assert (np.abs(difference).max() > 1e-3) == matters


def test_its_weights_have_the_paper_s_sizes() -> None:
    network = DecompositionNetwork(DecompositionSettings(filters=500, channels="separate"), DIMENSION)

    shapes = {name: tuple(weight.shape) for name, weight in network.named_parameters()}
    assert shapes == {
        "filters": (2, 3, DIMENSION, 500),
        "bias": (500,),
        "output.weight": (1, 1000),
        "output.bias": (1,),
    }


def test_it_can_start_from_what_features_alone_say() -> None:
    network = decomposition()
    inputs = aligned(random_pairs(5))
    without = replace(inputs, features=0 * inputs.features)
    weights = np.array([0.5, -2.0], dtype=np.float32)

    network.start_from_features(weights, bias=0.25)

    difference = log_odds(network, inputs, list(range(5))) - log_odds(network, without, list(range(5)))
    assert difference == pytest.approx(inputs.features @ weights, abs=1e-5)
    assert network.output.bias.tolist() == [0.25]


def test_dropout_is_for_learning_only() -> None:
    network, inputs = decomposition(dropout=0.5), aligned(random_pairs(5))
    same = decomposition()

    assert log_odds(network, inputs, [0, 1, 2, 3, 4]) == pytest.approx(
        log_odds(same, inputs, [0, 1, 2, 3, 4])
    )
    network.train()
    first, second = (network(inputs.batch(np.arange(5))) for _ in range(2))
    assert not torch.equal(first, second)
