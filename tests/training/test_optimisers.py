"""Which weights learn, and how fast."""

from typing import Any

import numpy as np
import pytest
import torch

from askagain.encoders.recipe import TrainingSettings
from askagain.encoders.settings import Average, Bow, Cnn, Part, WordSettings
from askagain.errors import SettingsError
from askagain.training.networks.bow import BowNetwork
from askagain.training.networks.model import DensePart, TorchModel
from askagain.training.optimisers import make_optimiser

ONES = np.ones(3, dtype=np.float32)


def model(*, terms: bool = True, words: bool = True) -> TorchModel:
    part = Part(network=Cnn(hidden=2), words=WordSettings(trained=words))
    dense = DensePart(part, np.ones((3, 2), dtype=np.float32), ONES)
    return TorchModel([BowNetwork(Bow(trained=terms), ONES), dense])


def steps(network: TorchModel, **settings: Any) -> dict[str, float]:
    """How far each weight goes when all gradients are 1."""
    before = {name: weight.clone() for name, weight in network.named_parameters()}
    optimiser = make_optimiser(network, TrainingSettings(**settings))
    for weight in network.parameters():
        weight.grad = torch.ones_like(weight)
    optimiser.step()
    return {
        name: float((weight - before[name]).abs().mean().detach())
        for name, weight in network.named_parameters()
    }


def test_word_weights_learn_faster_than_the_rest() -> None:
    gone = steps(model(), optimiser="sgd", rate=0.01, term_rate=5.0, decay=0.0)

    assert gone["parts.0.term_weights"] == pytest.approx(0.05)
    assert gone["parts.1.network.filters"] == pytest.approx(0.01)
    assert gone["weights"] == pytest.approx(0.01)


def test_decay_pulls_all_but_the_word_weights_to_zero() -> None:
    gone = steps(model(), optimiser="sgd", rate=0.1, term_rate=1.0, decay=0.5)

    assert gone["parts.1.words.vectors"] == pytest.approx(0.15)
    assert gone["parts.0.term_weights"] == pytest.approx(0.1)


@pytest.mark.parametrize("optimiser", ["sgd", "adam", "adadelta"])
def test_what_is_fixed_does_not_move(optimiser: str) -> None:
    gone = steps(model(terms=False, words=False), optimiser=optimiser, rate=0.1)

    assert gone["parts.0.term_weights"] == gone["parts.1.words.vectors"] == 0.0
    assert gone["parts.1.network.bias"] > 0


def test_an_average_of_fixed_word_vectors_has_nothing_to_learn() -> None:
    part = Part(network=Average(hidden=2), words=WordSettings(trained=False))
    network = TorchModel([DensePart(part, np.ones((3, 2), dtype=np.float32), ONES)])

    with pytest.raises(SettingsError, match=r"no weight of this system can learn: set parts.words.trained"):
        make_optimiser(network, TrainingSettings())
