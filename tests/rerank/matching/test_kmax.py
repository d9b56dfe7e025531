"""k-max pooling: the largest values, in their order."""

from math import ceil

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from askagain.rerank.matching.kmax import dynamic_k, kmax


def slow_kmax(values: list[float], k: int) -> list[float]:
    best = sorted(range(len(values)), key=lambda place: (-values[place], place))[:k]
    return [values[place] for place in sorted(best)]


def pooled(values: Tensor, lengths: list[int], counts: list[int]) -> Tensor:
    return kmax(values, torch.tensor(lengths), torch.tensor(counts))


def test_the_largest_values_keep_their_order() -> None:
    values = torch.tensor([[[3.0], [1.0], [5.0], [2.0], [4.0]]])

    assert pooled(values, [5], [3]).flatten().tolist() == [3, 5, 4]


def test_each_dimension_has_its_own_largest() -> None:
    values = torch.tensor([[[1.0, 9.0], [2.0, 8.0], [3.0, 7.0]]])

    assert pooled(values, [3], [2]).tolist() == [[[2, 9], [3, 8]]]


def test_of_equal_values_the_first_are_taken() -> None:
    values = torch.tensor([[[2.0], [1.0], [3.0], [2.0]]], requires_grad=True)

    pooled(values, [4], [2]).sum().backward()

    assert values.grad is not None
    assert values.grad.flatten().tolist() == [1, 0, 1, 0]


def test_what_lies_after_a_text_does_not_count() -> None:
    values = torch.tensor([[[1.0], [2.0], [99.0]], [[4.0], [5.0], [6.0]]])

    assert pooled(values, [2, 3], [1, 2]).squeeze(2).tolist() == [[2, 0], [5, 6]]


def test_a_text_with_fewer_columns_keeps_all() -> None:
    assert pooled(torch.tensor([[[1.0], [2.0]]]), [2], [7]).flatten().tolist() == [1, 2]


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=9), min_size=1, max_size=4), st.integers(1, 9)
)
def test_it_agrees_with_a_slow_reference(texts: list[list[int]], k: int) -> None:
    longest = max(map(len, texts))
    values = torch.tensor([text + [9] * (longest - len(text)) for text in texts], dtype=torch.float32)

    found = pooled(values.unsqueeze(2), [len(text) for text in texts], [k] * len(texts)).squeeze(2)

    for row, text in zip(found.tolist(), texts, strict=True):
        wanted = slow_kmax([float(value) for value in text], k)
        assert row == wanted + [0] * (len(row) - len(wanted))


def test_its_gradient_is_right() -> None:
    values = torch.randn(2, 6, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))

    assert torch.autograd.gradcheck(lambda v: pooled(v, [6, 4], [3, 2]), values.requires_grad_())


def test_numbers_that_are_none_do_no_harm() -> None:
    assert pooled(torch.full((1, 5, 2), torch.nan), [5], [3]).shape == (1, 3, 2)


@pytest.mark.parametrize("levels", [1, 2, 3, 5])
def test_k_falls_evenly_from_level_to_level(levels: int) -> None:
    lengths = range(1, 200)

    for level in range(1, levels + 1):
        wanted = [max(4, ceil((levels - level) * s / levels)) for s in lengths]
        assert dynamic_k(torch.tensor(lengths), level, levels, 4).tolist() == wanted


def test_k_of_the_paper_s_example() -> None:
    """Kalchbrenner et al. (2014, §3.3): 18 words, three levels, k_top = 3."""
    ks = [dynamic_k(torch.tensor([18]), level, 3, 3).item() for level in (1, 2, 3)]

    assert ks == [12, 6, 3]
