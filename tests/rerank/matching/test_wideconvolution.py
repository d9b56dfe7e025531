"""Wide convolution, each dimension by itself."""

import torch

from askagain.rerank.matching.wideconvolution import wide_convolution


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def test_windows_reach_over_both_ends() -> None:
    columns, filters = torch.tensor([[[1.0], [2.0]]]), torch.tensor([[1.0], [10.0], [100.0]])

    assert wide_convolution(columns, filters, torch.tensor([2])).flatten().tolist() == [1, 12, 120, 200]


def test_it_is_torch_s_convolution_with_the_filter_turned_round() -> None:
    columns, filters = drawn(3, 6, 4), drawn(3, 4)

    found = wide_convolution(columns, filters, torch.tensor([6, 6, 6]))

    weight = filters.flip(0).t().unsqueeze(1)
    wanted = torch.nn.functional.conv1d(columns.transpose(1, 2), weight, padding=2, groups=4)
    assert torch.allclose(found, wanted.transpose(1, 2))


def test_what_lies_after_a_text_does_not_count() -> None:
    columns, filters = drawn(2, 5, 2), drawn(2, 2)

    found = wide_convolution(columns, filters, torch.tensor([5, 3]))

    alone = wide_convolution(columns[1:, :3].contiguous(), filters, torch.tensor([3]))
    assert torch.equal(found[1, :4], alone[0])
    assert found[1, 4:].abs().sum() == 0


def test_its_gradient_is_right() -> None:
    columns, filters = drawn(2, 5, 3).requires_grad_(), drawn(2, 3).requires_grad_()

    assert torch.autograd.gradcheck(
        lambda c, f: wide_convolution(c, f, torch.tensor([5, 3])), (columns, filters)
    )
