"""Columns compared with columns."""

import pytest
import torch

from askagain.rerank.matching.comparison import closeness, cosines

FIRST = torch.tensor([[[3.0, 4.0], [0.0, 0.0]]])
SECOND = torch.tensor([[[3.0, 4.0], [4.0, -3.0], [0.0, 0.0]]])


def test_cosines_of_all_columns() -> None:
    assert cosines(FIRST, SECOND)[0].tolist() == [pytest.approx([1, 0, 0]), [0, 0, 0]]


def test_the_closer_the_more_alike() -> None:
    found = closeness(FIRST, SECOND)[0]

    assert found[0].tolist() == pytest.approx([1, 1 / (1 + 50**0.5), 1 / 6], abs=2e-6)
    assert found[1].tolist() == pytest.approx([1 / 6, 1 / 6, 1], abs=2e-6)


def test_the_closeness_of_equal_word_vectors_is_not_lost_in_their_length() -> None:
    columns = torch.randn(1, 50, 100, generator=torch.Generator().manual_seed(0))

    assert closeness(columns, columns)[0].diagonal().tolist() == pytest.approx([1] * 50, abs=2e-6)


def test_zero_columns_and_equal_ones_have_no_steep_gradient() -> None:
    columns = FIRST.clone().requires_grad_()

    (closeness(columns, FIRST).sum() + cosines(columns, FIRST).sum()).backward()

    assert columns.grad is not None
    assert columns.grad.abs().max() < 1000


def test_their_gradients_are_right() -> None:
    draw = torch.Generator().manual_seed(0)
    columns = [torch.randn(2, n, 3, dtype=torch.float64, generator=draw).requires_grad_() for n in (4, 5)]

    assert torch.autograd.gradcheck(cosines, columns)
    assert torch.autograd.gradcheck(closeness, columns)
