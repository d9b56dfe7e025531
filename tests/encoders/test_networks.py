"""Every network gives what its torch twin gives, however its texts are batched."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch

from askagain.encoders.networks import network_encoder, network_shapes
from askagain.encoders.settings import Average, Cnn, Gru, Lstm, Network, Rcnn
from askagain.encoders.texts import Batch, Texts, batches, packed, padded
from askagain.encoders.vectors import Floats
from askagain.training.networks.average import AverageNetwork
from askagain.training.networks.cnn import CnnNetwork
from askagain.training.networks.inputs import TextBatch
from askagain.training.networks.rcnn import RcnnNetwork
from askagain.training.networks.recurrent import RecurrentNetwork

INPUTS, UNITS, WORDS = 6, 5, 12
LENGTHS = (7, 7, 4, 3, 2, 1, 1)

CNNS = [
    Cnn(hidden=UNITS, width=width, pooling=pooling, windows=windows)
    for width, pooling, windows in product((1, 2, 3, 4), ("mean", "max"), ("centred", "trailing"))
]
RECURRENT = [
    kind(hidden=UNITS, pooling=pooling) for kind, pooling in product((Lstm, Gru), ("last", "mean", "max"))
]
RCNNS = [
    Rcnn(
        hidden=UNITS,
        width=width,
        pooling=pooling,
        gate=gate,
        decay=0.3,
        combination=combination,
        output_gate=output_gate,
    )
    for width, pooling, gate, combination, output_gate in product(
        (1, 2, 3),
        ("last", "mean", "max"),
        ("learned", "constant"),
        ("additive", "multiplicative"),
        (False, True),
    )
]
NETWORKS: list[Network] = [Average(hidden=INPUTS), *CNNS, *RECURRENT, *RCNNS]


def twin(network: Network) -> torch.nn.Module:
    """The torch network, with weights large enough that gates and tanh bend."""
    if isinstance(network, Average):
        module: torch.nn.Module = AverageNetwork(network)
    elif isinstance(network, Cnn):
        module = CnnNetwork(network, INPUTS)
    elif isinstance(network, Rcnn):
        module = RcnnNetwork(network, INPUTS)
    else:
        module = RecurrentNetwork(network, INPUTS)
    torch.manual_seed(1)
    for weight in module.parameters():
        torch.nn.init.normal_(weight, std=0.7)
    return module


def weights_of(module: torch.nn.Module) -> dict[str, Floats]:
    return {name: weight.detach().numpy() for name, weight in module.named_parameters()}


def table() -> Floats:
    return np.random.default_rng(2).normal(size=(WORDS, INPUTS)).astype(np.float32)


def some_texts(lengths: tuple[int, ...] = LENGTHS) -> Texts:
    random = np.random.default_rng(3)
    return packed([random.integers(0, WORDS, length) for length in lengths])


def one_batch(texts: Texts) -> Batch:
    return padded(texts, np.arange(len(texts)))


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_a_network_equals_its_torch_twin(network: Network) -> None:
    module, batch = twin(network), one_batch(some_texts())
    with torch.no_grad():
        expected = module(
            torch.from_numpy(table()),
            TextBatch(torch.from_numpy(batch.ids).long(), torch.from_numpy(batch.lengths)),
        ).numpy()
    ours = network_encoder(network, table(), weights_of(module)).encode(batch)
    assert ours.dtype == np.float32
    np.testing.assert_allclose(ours, expected, atol=1e-5)


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_shapes_are_those_of_the_torch_twin(network: Network) -> None:
    shapes = {name: weight.shape for name, weight in weights_of(twin(network)).items()}
    assert network_shapes(network, INPUTS) == shapes


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_the_company_of_other_texts_changes_nothing(network: Network) -> None:
    texts = some_texts((2, 7, 1, 5, 7, 3))
    encoder = network_encoder(network, table(), weights_of(twin(network)))
    alone = np.concatenate([encoder.encode(padded(texts, np.array([row]))) for row in range(len(texts))])
    for most_tokens in (1, 10, 1000):
        together = np.zeros_like(alone)
        for batch in batches(texts, most_tokens):
            together[batch.rows] = encoder.encode(batch)
        np.testing.assert_allclose(together, alone, atol=1e-6)


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_filling_up_changes_nothing(network: Network) -> None:
    batch = one_batch(some_texts())
    wider = replace(batch, ids=np.pad(batch.ids, [(0, 0), (0, 3)], constant_values=-1))
    encoder = network_encoder(network, table(), weights_of(twin(network)))
    np.testing.assert_array_equal(encoder.encode(wider), encoder.encode(batch))


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_a_text_without_words_is_zero_and_harms_no_other(network: Network) -> None:
    encoder = network_encoder(network, table(), weights_of(twin(network)))
    with_empty = encoder.encode(one_batch(some_texts((*LENGTHS, 0, 0))))
    assert not with_empty[-2:].any()
    np.testing.assert_array_equal(with_empty[:-2], encoder.encode(one_batch(some_texts())))


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_no_text_at_all(network: Network) -> None:
    encoder = network_encoder(network, table(), weights_of(twin(network)))
    assert encoder.encode(one_batch(packed([]))).shape == (0, network.hidden)


def test_an_average_is_the_mean_of_its_words() -> None:
    encoder = network_encoder(Average(hidden=INPUTS), table(), {})
    vectors = encoder.encode(one_batch(packed([[3, 3, 7], [5]])))
    np.testing.assert_allclose(vectors, [(2 * table()[3] + table()[7]) / 3, table()[5]], atol=1e-6)


def test_an_average_has_no_order() -> None:
    encoder = network_encoder(Average(hidden=INPUTS), table(), {})
    forwards, backwards = encoder.encode(one_batch(packed([[1, 2, 3, 4], [4, 3, 2, 1]])))
    np.testing.assert_allclose(forwards, backwards, atol=1e-6)


def test_an_average_agrees_with_its_torch_twin_to_the_last_digits() -> None:
    network, batch = Average(hidden=INPUTS), one_batch(some_texts())
    expected = AverageNetwork(network)(
        torch.from_numpy(table()),
        TextBatch(torch.from_numpy(batch.ids).long(), torch.from_numpy(batch.lengths)),
    )
    np.testing.assert_allclose(network_encoder(network, table(), {}).encode(batch), expected, atol=1e-6)


@pytest.mark.filterwarnings("error")
def test_huge_numbers_close_gates_without_a_warning() -> None:
    network = Lstm(hidden=UNITS)
    weights = weights_of(twin(network))
    vectors = network_encoder(network, 1e4 * table(), weights).encode(one_batch(some_texts()))
    assert np.isfinite(vectors).all()


@pytest.mark.parametrize("pooling", ["mean", "max"])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_an_rcnn_that_forgets_at_once_is_a_cnn(width: int, pooling: str) -> None:
    rcnn = Rcnn(hidden=UNITS, width=width, pooling=pooling, gate="constant", decay=0.0)
    cnn = Cnn(hidden=UNITS, width=width, pooling=pooling, windows="trailing")
    weights, batch = weights_of(twin(cnn)), one_batch(some_texts())
    np.testing.assert_allclose(
        network_encoder(rcnn, table(), weights).encode(batch),
        network_encoder(cnn, table(), weights).encode(batch),
        atol=1e-6,
    )


def test_a_constant_gate_sums_all_pairs_with_their_gaps() -> None:
    """Two words at i < j count (1 − λ)² λ^(gap), whose gap is the number of words they skip (J16, §4.2)."""
    decay = 0.3
    network = Rcnn(hidden=UNITS, width=2, gate="constant", decay=decay)
    weights, batch = weights_of(twin(network)), one_batch(some_texts((5,)))
    words = table()[batch.ids[0]].astype(np.float64)
    first, second = (words @ weights["filters"][level] for level in (0, 1))
    last = len(words) - 1
    total = np.zeros(UNITS)
    for end in range(len(words)):
        total += (1 - decay) * decay ** (last - end) * second[end]
        for start in range(end):
            total += (1 - decay) ** 2 * decay ** (last - start - 1) * first[start]
    vectors = network_encoder(network, table(), weights).encode(batch)
    np.testing.assert_allclose(vectors[0], np.tanh(total + weights["bias"]), atol=1e-6)
