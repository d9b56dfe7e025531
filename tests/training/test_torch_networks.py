"""The networks in torch: right gradients, and nothing but a text's own words counts."""

import pytest
import torch
from torch_cases import HIDDEN, NETWORKS, batch, network_of, table_of, texts_of

from askagain.encoders.settings import Cnn, Rcnn
from askagain.training.networks.naive import naive_states

TEXTS = texts_of(5, 3, 3, 1)


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients_are_those_that_small_steps_show(name: str) -> None:
    network = network_of(NETWORKS[name])
    table = table_of().requires_grad_()
    weights = dict(network.named_parameters())

    def vectors(table: torch.Tensor, *values: torch.Tensor) -> torch.Tensor:
        given = dict(zip(weights, values, strict=True))
        return torch.func.functional_call(network, given, (table, batch(TEXTS)))

    assert torch.autograd.gradcheck(vectors, (table, *weights.values()), eps=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_text_has_the_same_vector_in_any_batch(name: str) -> None:
    network, table = network_of(NETWORKS[name]), table_of()

    together = network(table, batch(TEXTS))
    alone = torch.cat([network(table, batch([text])) for text in TEXTS])
    longer = network(table, batch([*texts_of(9, seed=1), *TEXTS]))[1:]

    torch.testing.assert_close(together, alone, atol=1e-12, rtol=0)
    torch.testing.assert_close(together, longer, atol=1e-12, rtol=0)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_an_rcnn_that_keeps_nothing_is_a_cnn(width: int) -> None:
    rcnn = network_of(Rcnn(hidden=HIDDEN, width=width, pooling="max", gate="constant", decay=0.0))
    cnn = network_of(Cnn(hidden=HIDDEN, width=width, pooling="max", windows="trailing"))
    cnn.load_state_dict(rcnn.state_dict())

    torch.testing.assert_close(rcnn(table_of(), batch(TEXTS)), cnn(table_of(), batch(TEXTS)))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_the_fast_recurrence_with_its_gate_shut_is_a_cnn_too(width: int) -> None:
    rcnn = network_of(Rcnn(hidden=HIDDEN, width=width, pooling="mean"))
    cnn = network_of(Cnn(hidden=HIDDEN, width=width, pooling="mean", windows="trailing"))
    weights = rcnn.state_dict()
    weights["gate_bias"].fill_(-1e6)
    cnn.load_state_dict({name: weights[name] for name in ("filters", "bias")})

    torch.testing.assert_close(rcnn(table_of(), batch(TEXTS)), cnn(table_of(), batch(TEXTS)))


@pytest.mark.parametrize("width", [1, 2, 3])
def test_with_constant_decay_a_state_is_the_sum_over_all_ngrams_with_gaps(width: int) -> None:
    """c^n at t is (1 − λ) Σ_{j≤t} λ^{t−j} (c^{n−1} at j−1 + W_n x_j), and c^0 is 0 (J16, §4.2)."""
    decay, length = 0.3, 5
    settings = Rcnn(hidden=HIDDEN, width=width, gate="constant", decay=decay)
    weights = {name: weight.detach() for name, weight in network_of(settings).named_parameters()}
    inputs = table_of(words=length)

    def total(level: int, t: int) -> torch.Tensor:
        result = torch.zeros(HIDDEN, dtype=torch.float64)
        for j in range(t + 1 if level else 0):
            added = total(level - 1, j - 1) + inputs[j] @ weights["filters"][level - 1]
            result += (1 - decay) * decay ** (t - j) * added
        return result

    states = naive_states(inputs[:, None], weights, settings)
    expected = torch.tanh(total(width, length - 1) + weights["bias"])
    torch.testing.assert_close(states[-1, 0], expected)
