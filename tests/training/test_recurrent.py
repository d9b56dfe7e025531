"""The LSTM's and the GRU's fast recurrences beside torch's own."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence
from torch_cases import HIDDEN, batch, network_of, table_of, texts_of

from askagain.encoders.settings import Gru, Lstm
from askagain.training.networks.inputs import TextBatch, pack
from askagain.training.networks.recurrent import RecurrentNetwork

KINDS = pytest.mark.parametrize("kind", [Lstm, Gru])
LENGTHS = pytest.mark.parametrize(
    "lengths", [(3,), (1,), (1, 1, 1), (4, 4, 4), (6, 4, 4, 1), (20, 13, 13, 7, 2, 1, 1)]
)
PRECISIONS = pytest.mark.parametrize(
    ("numbers", "tolerance"), [(torch.float64, 1e-9), (torch.float32, 1e-5)], ids=["float64", "float32"]
)


def network(kind: type[Lstm | Gru], hidden: int = HIDDEN) -> RecurrentNetwork:
    made = network_of(kind(hidden=hidden))
    assert isinstance(made, RecurrentNetwork)
    return made


def torchs_own(network: RecurrentNetwork, table: Tensor, texts: TextBatch, start: Any) -> tuple[Tensor, Any]:
    packed = pack(texts)
    states, final = network.cell(PackedSequence(table[packed.ids], torch.tensor(packed.sizes)), start)
    return states.data, final


def start_of(kind: type[Lstm | Gru], texts: int, hidden: int = HIDDEN) -> tuple[Tensor, ...]:
    """h, and c of an LSTM [1, texts, d]."""
    generator = torch.Generator().manual_seed(5)
    shape = (1 if kind is Gru else 2, 1, texts, hidden)
    return torch.randn(shape, dtype=torch.float64, generator=generator).unbind()


def torchs_form(values: tuple[Tensor, ...]) -> Any:
    return values if values[1:] else values[0]


def flat(states: Tensor, final: Any) -> list[Tensor]:
    return [states, final] if isinstance(final, Tensor) else [states, *final]


def assert_near(ours: Any, theirs: Any, tolerance: float) -> None:
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)


@KINDS
@LENGTHS
@PRECISIONS
def test_states_and_ends_equal_torchs(
    kind: type[Lstm | Gru], lengths: tuple[int, ...], numbers: torch.dtype, tolerance: float
) -> None:
    made, table, texts = network(kind).to(numbers), table_of().to(numbers), batch(texts_of(*lengths))

    ours, theirs = made.run(table, texts), torchs_own(made, table, texts, None)

    assert_near(flat(*ours), flat(*theirs), tolerance)


@KINDS
@LENGTHS
@PRECISIONS
def test_gradients_through_states_and_ends_equal_torchs(
    kind: type[Lstm | Gru], lengths: tuple[int, ...], numbers: torch.dtype, tolerance: float
) -> None:
    """Of word vectors, weights, biases and start; a decoder's loss comes through the encoder's end."""
    made, texts = network(kind).to(numbers), batch(texts_of(*lengths))
    table = table_of().to(numbers).requires_grad_()
    start = tuple(value.to(numbers).requires_grad_() for value in start_of(kind, len(lengths)))
    inputs = [table, *made.parameters(), *start]

    def gradients(states: Tensor, final: Any) -> tuple[Tensor, ...]:
        torch.manual_seed(3)
        total = sum((value * torch.randn(value.shape, dtype=numbers)).sum() for value in flat(states, final))
        assert isinstance(total, Tensor)
        return torch.autograd.grad(total, inputs)

    ours = gradients(*made.run(table, texts, torchs_form(start)))
    theirs = gradients(*torchs_own(made, table, texts, torchs_form(start)))

    assert_near(ours, theirs, tolerance)


@KINDS
@pytest.mark.parametrize("output", [0, 1, -1], ids=["states", "h", "last of the end"])
def test_gradients_through_one_output_alone_equal_torchs(kind: type[Lstm | Gru], output: int) -> None:
    made, texts, table = network(kind), batch(texts_of(6, 4, 4, 1)), table_of().requires_grad_()
    inputs = [table, *made.parameters()]

    ours = flat(*made.run(table, texts))[output].pow(2).sum()
    theirs = flat(*torchs_own(made, table, texts, None))[output].pow(2).sum()

    assert_near(torch.autograd.grad(ours, inputs), torch.autograd.grad(theirs, inputs), 1e-9)


@KINDS
@pytest.mark.parametrize("lengths", [(2,), (1, 1), (3, 2, 1)])
def test_gradients_are_those_that_small_steps_show(kind: type[Lstm | Gru], lengths: tuple[int, ...]) -> None:
    made, texts, table = network(kind, hidden=2), batch(texts_of(*lengths)), table_of().requires_grad_()
    start = tuple(value.requires_grad_() for value in start_of(kind, len(lengths), hidden=2))

    def outputs(*_: Tensor) -> tuple[Tensor, ...]:
        """The steps are made in place, in the network's own weights."""
        return tuple(flat(*made.run(table, texts, torchs_form(start))))

    assert torch.autograd.gradcheck(outputs, (table, *made.parameters(), *start), eps=1e-6, atol=1e-7)


@KINDS
def test_a_vector_of_the_last_state_is_the_end_of_torchs(kind: type[Lstm | Gru]) -> None:
    made, table, texts = network_of(kind(hidden=HIDDEN, pooling="last")), table_of(), batch(texts_of(5, 3, 1))
    assert isinstance(made, RecurrentNetwork)

    _, final = torchs_own(made, table, texts, None)

    torch.testing.assert_close(made(table, texts), flat(table, final)[1][0])


@KINDS
def test_weights_start_as_those_of_torchs_module(kind: type[Lstm | Gru]) -> None:
    """Names, shapes, order and values under a seed: model folders hold them."""
    torch.manual_seed(7)
    ours = RecurrentNetwork(kind(hidden=HIDDEN), 3)
    torch.manual_seed(7)
    theirs = (torch.nn.GRU if kind is Gru else torch.nn.LSTM)(3, HIDDEN)
    for weight in theirs.parameters():
        torch.nn.init.uniform_(weight, -0.05, 0.05)

    assert list(ours.state_dict()) == [f"cell.{name}" for name in theirs.state_dict()]
    assert_near(ours.state_dict().values(), theirs.state_dict().values(), 0)
