"""8-bit rows: small errors, the same directions, zeros stay zeros."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from real_vectors import glove

from askagain.encoders.quantised import Quantised, dequantise, in_8_bits, quantise
from askagain.encoders.vectors import Floats

MATRICES = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=8),
    elements=st.floats(-(2.0**100), 2.0**100, width=32),
)


def test_the_largest_number_of_a_row_has_the_code_127() -> None:
    small = quantise(np.array([[0.5, -1.0, 0.25], [10, 1270, 0]], dtype=np.float32))
    assert small.codes.tolist() == [[64, -127, 32], [1, 127, 0]]
    assert small.codes.dtype == np.int8
    assert small.scales == pytest.approx([1 / 127, 10])


@given(MATRICES)
def test_no_number_is_off_by_more_than_half_a_step(matrix: Floats) -> None:
    step = np.abs(matrix).max(axis=1, keepdims=True).astype(np.float64) / 127
    # Float32 adds its own rounding: of 24 bits, and of the smallest number that it has.
    allowed = step / 2 + 127 * (step * 2**-22 + 2.0**-149)
    assert (np.abs(dequantise(quantise(matrix)).astype(np.float64) - matrix) <= allowed).all()


@given(MATRICES)
def test_quantising_again_changes_next_to_nothing(matrix: Floats) -> None:
    once = dequantise(quantise(matrix))
    np.testing.assert_allclose(dequantise(quantise(once)), once, rtol=1e-5, atol=1e-42)


def test_a_row_of_zeros_stays_zero() -> None:
    zeros = quantise(np.zeros((2, 3), dtype=np.float32))
    assert not zeros.codes.any()
    assert not dequantise(zeros).any()


@pytest.mark.parametrize("shape", [(0, 5), (3, 0)])
def test_matrices_without_numbers_keep_their_shape(shape: tuple[int, int]) -> None:
    assert dequantise(quantise(np.zeros(shape, dtype=np.float32))).shape == shape


@pytest.mark.parametrize("name", ["words", "buckets"])
def test_word_vectors_of_a_part_become_codes_and_scales(name: str) -> None:
    matrix = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    small = in_8_bits({name: matrix})
    assert small.keys() == {f"{name}.codes", f"{name}.scales"}
    again = dequantise(Quantised(small[f"{name}.codes"], small[f"{name}.scales"]))
    np.testing.assert_allclose(again, matrix, atol=np.abs(matrix).max() / 254 + 1e-6)


def test_all_other_weights_of_a_part_stay_as_they_are() -> None:
    weights = {"shared": np.ones(3, dtype=np.float32), "network.bias": np.full(2, 0.3, dtype=np.float32)}
    assert in_8_bits(weights) == weights


def test_real_vectors_keep_their_directions(data_dir: Path) -> None:
    real = glove(data_dir, "q").matrix
    again = dequantise(quantise(real))
    cosines = (real * again).sum(axis=1) / np.linalg.norm(real, axis=1) / np.linalg.norm(again, axis=1)
    assert len(real) > 100
    assert cosines.min() > 0.999
    assert again.dtype == np.float32
