"""The fast recurrence beside the plain loop."""

from typing import Any

import pytest
import torch
from torch_cases import HIDDEN, WORDS, batch, network_of, table_of, texts_of

from askagain.encoders.settings import Rcnn
from askagain.training.networks.inputs import pack
from askagain.training.networks.naive import naive_states
from askagain.training.networks.rcnn import Final, RcnnNetwork


def rcnn(width: int) -> RcnnNetwork:
    network = network_of(Rcnn(hidden=HIDDEN, width=width))
    assert isinstance(network, RcnnNetwork)
    return network


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("texts", [1, 6])
def test_states_and_gradients_equal_those_of_the_plain_loop(width: int, texts: int) -> None:
    network, table, words = rcnn(width), table_of().requires_grad_(), texts_of(*[4] * texts)
    inputs = [table, *network.parameters()]
    weight = torch.randn(4 * texts, HIDDEN, dtype=torch.float64)

    fast, _ = network.run(table, batch(words))
    steps = table[torch.tensor(words).t()]
    naive = naive_states(steps, dict(network.named_parameters()), network.settings).reshape(-1, HIDDEN)

    torch.testing.assert_close(fast, naive)
    fast_gradients = torch.autograd.grad((fast * weight).sum(), inputs)
    naive_gradients = torch.autograd.grad((naive * weight).sum(), inputs)
    for ours, theirs in zip(fast_gradients, naive_gradients, strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("lengths", [(3,), (5, 2, 1), (4, 4, 1, 1)])
def test_it_goes_on_from_where_another_stopped(lengths: tuple[int, ...], width: int) -> None:
    """As a decoder does: the second half after the first half equals the whole."""
    network, table = rcnn(width), table_of()
    head, tail = texts_of(*[3] * len(lengths)), texts_of(*lengths, seed=1)

    _, final = network.run(table, batch(head))
    states, end = network.run(table, batch(tail), final)

    whole, whole_end = network.run(table, batch([a + b for a, b in zip(head, tail, strict=True)]))
    torch.testing.assert_close(states, whole[3 * len(lengths) :])
    torch.testing.assert_close(end.sums, whole_end.sums)
    torch.testing.assert_close(end.state, whole_end.state)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_gradients_flow_into_the_start_and_out_of_the_end(width: int) -> None:
    network, texts = rcnn(width), batch(texts_of(3, 2, 1))
    sums = torch.randn(width, 3, HIDDEN, dtype=torch.float64, requires_grad=True)
    state = torch.randn(3, HIDDEN, dtype=torch.float64, requires_grad=True)

    def end(sums: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(network.run(table_of(), texts, Final(sums, state))[1])

    assert torch.autograd.gradcheck(end, (sums, state))


@pytest.mark.parametrize("width", [1, 3])
def test_gradients_through_states_and_end_equal_those_of_the_plain_loop(width: int) -> None:
    """A decoder's loss comes through the end of the encoder, a ranking's through its states."""
    network, texts = rcnn(width), batch(texts_of(6, 4, 4, 1))
    table = table_of().requires_grad_()
    inputs = [table, *network.parameters()]
    torch.manual_seed(3)
    of_states = torch.randn(15, HIDDEN, dtype=torch.float64)
    of_sums = torch.randn(width, 4, HIDDEN, dtype=torch.float64)
    of_state = torch.randn(4, HIDDEN, dtype=torch.float64)

    def gradients(run: Any) -> tuple[torch.Tensor, ...]:
        states, end = run(table, texts, start)
        total = (states * of_states).sum() + (end.sums * of_sums).sum() + (end.state * of_state).sum()
        return torch.autograd.grad(total, inputs)

    start = Final(of_sums.roll(1), of_state.roll(1))
    for ours, theirs in zip(gradients(network._run_fast), gradients(network._run_loop), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_packing_leaves_out_what_fills_up() -> None:
    packed = pack(batch([[1, 2, 3], [4], [5]]))

    assert packed.ids.tolist() == [1, 4, 5, 2, 3]
    assert packed.sizes == [3, 1, 1]
    assert packed.text.tolist() == [0, 1, 2, 0, 0]
    assert packed.last.tolist() == [4, 1, 2]
    assert WORDS > 5
