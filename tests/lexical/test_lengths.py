"""Lengths in Lucene's coarse steps."""

import numpy as np
import pytest

from askagain.lexical.lengths import LONGEST, coarse_lengths, seen_lengths

SMALL_CODES = 24


def lucene_byte(length: int) -> int:
    """Lucene's one-byte code of a length: 24 codes for themselves, then an exponent and three bits."""
    rest = length - SMALL_CODES
    if rest < 0:
        return length
    bits = rest.bit_length()
    if bits < 4:
        return SMALL_CODES + rest
    exponent = bits - 4
    return SMALL_CODES + ((exponent + 1) << 3 | rest >> exponent & 7)


def lucene_length(byte: int) -> int:
    """The length that Lucene reads back from its code."""
    if byte < SMALL_CODES:
        return byte
    exponent, mantissa = divmod(byte - SMALL_CODES, 8)
    return SMALL_CODES + (mantissa if exponent == 0 else (mantissa | 8) << (exponent - 1))


def test_coarse_lengths_are_what_lucene_reads_back() -> None:
    exact = np.arange(100_001)
    expected = [lucene_length(lucene_byte(length)) for length in exact.tolist()]
    assert coarse_lengths(exact).tolist() == expected


def test_a_byte_is_enough_for_every_length() -> None:
    assert lucene_byte(2**31 - 1) == 255


@pytest.mark.parametrize(("exact", "coarse"), [(0, 0), (40, 40), (41, 40), (42, 42), (100, 96), (1000, 984)])
def test_lengths_are_exact_up_to_40_and_rounded_down_above(exact: int, coarse: int) -> None:
    assert coarse_lengths(np.array([exact])).tolist() == [coarse]


def test_similarities_see_exact_or_coarse_lengths() -> None:
    assert seen_lengths(42, coarse=False)[40:].tolist() == [40.0, 41.0, 42.0]
    assert seen_lengths(42, coarse=True)[40:].tolist() == [40.0, 40.0, 42.0]


def test_every_length_of_the_index_can_be_seen() -> None:
    assert seen_lengths(LONGEST, coarse=False)[-1] == LONGEST
