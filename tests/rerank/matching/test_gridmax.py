"""Matrices of any size, reduced to one."""

import pytest
import torch

from askagain.rerank.matching.gridmax import grid_max


def pooled(matrix: list[list[float]], grid: int) -> list[list[float]]:
    rows, columns = torch.tensor([len(matrix)]), torch.tensor([len(matrix[0])])
    found: list[list[float]] = grid_max(torch.tensor([matrix]), rows, columns, grid)[0].tolist()
    return found


def test_each_field_has_its_largest_value() -> None:
    assert pooled([[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 1, 1], [1, 1, 1, 2.0]], 2) == [[6, 8], [9, 2]]


def test_small_matrices_fill_several_fields_with_a_value() -> None:
    assert pooled([[1.0, 2.0]], 4) == [[1, 1, 2, 2]] * 4


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 7), (5, 3), (12, 30)])
def test_fields_are_those_of_torch_s_adaptive_pooling(rows: int, columns: int) -> None:
    matrices = torch.randn(3, rows, columns, generator=torch.Generator().manual_seed(0))

    found = grid_max(matrices, torch.tensor([rows] * 3), torch.tensor([columns] * 3), 5)

    assert torch.equal(found, torch.nn.functional.adaptive_max_pool2d(matrices, 5))


def test_what_lies_outside_a_matrix_does_not_count() -> None:
    matrices = torch.tensor([[[1.0, 99.0], [2.0, 99.0]]])

    assert grid_max(matrices, torch.tensor([2]), torch.tensor([1]), 1).item() == 2


def test_its_gradient_is_right() -> None:
    matrices = torch.randn(2, 5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    rows, columns = torch.tensor([5, 3]), torch.tensor([4, 1])

    assert torch.autograd.gradcheck(lambda m: grid_max(m, rows, columns, 2), matrices.requires_grad_())
