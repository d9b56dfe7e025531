"""Products with a matrix: the same, whether BLAS makes them or, for a few rows, a kernel."""

import numpy as np
import pytest

from askagain.encoders.products import product


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("rows", [0, 1, 7, 31, 32, 100])
def test_a_product_is_that_of_the_definition(rows: int) -> None:
    first, second = numbers(rows, 40), numbers(40, 30)
    exact = first.astype(np.float64) @ second.astype(np.float64)
    np.testing.assert_allclose(product(first, second), exact, atol=1e-5)


@pytest.mark.parametrize("rows", [1, 7, 32])
def test_the_matrix_may_be_the_transpose_of_another(rows: int) -> None:
    first, second = numbers(rows, 40), numbers(30, 40)
    exact = first.astype(np.float64) @ second.astype(np.float64).T
    np.testing.assert_allclose(product(first, second.T), exact, atol=1e-5)


def test_a_product_is_in_single_precision() -> None:
    assert product(numbers(1, 40), numbers(40, 30)).dtype == np.float32
