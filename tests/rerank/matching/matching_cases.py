"""Small pairs and networks for the tests of matching."""

from typing import Any

import numpy as np
import torch
from torch import nn

from askagain.encoders.vectors import Floats
from askagain.rerank.matching.alignment import AlignedPairs, align_pairs
from askagain.rerank.matching.decomposition_network import DecompositionNetwork
from askagain.rerank.matching.pairs import FeaturedPairs, Inputs, WordPairs, word_pairs
from askagain.rerank.matching.settings import DecompositionSettings, UnimelbSettings
from askagain.rerank.matching.unimelb_network import UnimelbNetwork

WORDS, DIMENSION, FEATURES = 12, 4, 2

HOSTILE: tuple[tuple[list[int], list[int]], ...] = (
    ([], []),
    ([], [1, 2, 3]),
    ([1, 2, 3], []),
    ([5], [5]),
    ([5], [6]),
    ([5, 6], list(range(WORDS)) * 4),
    ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]),
    ([7, 7, 7, 7], [7, 7]),
)


def vectors(dimension: int = DIMENSION) -> Any:
    """Random ones; the last word has none."""
    table = np.random.default_rng(0).normal(size=(WORDS, dimension)).astype(np.float32)
    table[-1] = 0
    return table


def random_pairs(many: int, seed: int = 0, longest: int = 9) -> WordPairs:
    draw = np.random.default_rng(seed)
    return word_pairs(
        (draw.integers(WORDS, size=draw.integers(longest)), draw.integers(WORDS, size=draw.integers(longest)))
        for _ in range(many)
    )


def aligned(pairs: WordPairs) -> AlignedPairs:
    return align_pairs(pairs, vectors(), features_of(pairs), neighbours=1)


def featured(pairs: WordPairs) -> FeaturedPairs:
    return FeaturedPairs(pairs, vectors(), features_of(pairs))


def features_of(pairs: WordPairs) -> Floats:
    return np.random.default_rng(1).normal(size=(len(pairs), FEATURES)).astype(np.float32)


def decomposition(seed: int = 0, **settings: Any) -> DecompositionNetwork:
    return DecompositionNetwork(
        DecompositionSettings(**{"filters": 6, **settings}), DIMENSION, FEATURES, seed
    )


def unimelb(seed: int = 0, **settings: Any) -> UnimelbNetwork:
    small = {"widths": (3, 2, 2), "k_top": 2, "grid": 3, "hidden": 8, **settings}
    return UnimelbNetwork(UnimelbSettings(**small), DIMENSION, FEATURES, seed)


NETWORKS = {
    "decomposition, shared": (decomposition, aligned),
    "decomposition, separate": (lambda **others: decomposition(channels="separate", **others), aligned),
    "decomposition, relu": (lambda **others: decomposition(activation="relu", **others), aligned),
    "unimelb": (unimelb, featured),
}


def log_odds(network: nn.Module, inputs: Inputs[Any], rows: list[int]) -> Any:
    network.eval()
    with torch.no_grad():
        return network(inputs.batch(np.array(rows))).numpy()


def has_right_gradients(network: nn.Module, batch: Any) -> bool:
    """Against small steps of every weight; network and batch in double precision."""
    names = [name for name, _ in network.named_parameters()]

    def odds(*weights: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = torch.func.functional_call(
            network, dict(zip(names, weights, strict=True)), batch
        )
        return found

    return torch.autograd.gradcheck(odds, tuple(network.parameters()))
