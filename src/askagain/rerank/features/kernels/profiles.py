"""Counts of short runs of characters, in a hash table of the kernel's own."""

from __future__ import annotations

import numpy as np

from askagain.jit import Array, Number, compiled, inlined

_BITS = np.uint64(16)
_LAST_OF_16_BITS = 0xFFFF
_PRIVATE_USE = 0xE000
_PRIVATE_USE_SIZE = 0x1900
# Knuth's multiplicative hashing: 2^64 divided by the golden ratio; the upper half of the product is used.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@inlined
def _packed(characters: Array, start: int, size: int) -> np.uint64:
    """A run of up to four characters as one number, 16 bits each.

    Clean text has no character of the private use area. It stands for those that take more than 16 bits:
    emoji and rare Han characters whose numbers are equal modulo 6,400 count as the same.
    """
    run = np.uint64(0)
    for place in range(start, start + size):
        character = characters[place]
        if character > _LAST_OF_16_BITS:
            character = np.uint32(_PRIVATE_USE + character % _PRIVATE_USE_SIZE)
        run = (run << _BITS) | np.uint64(character)
    return run


@inlined
def _slot(keys: Array, used: Array, run: np.uint64) -> Number:
    """Where a run is, or would be."""
    mask = np.int64(len(keys) - 1)
    slot = np.int64((run * _GOLDEN) >> _HALF) & mask
    while used[slot] and keys[slot] != run:
        slot = (slot + 1) & mask
    return slot


@compiled
def profile_products(first: Array, second: Array, size: int) -> tuple[int, int, int]:
    """Of the counts of all runs: the product of the texts', and of each with itself."""
    slots = 4
    while slots < 2 * (len(first) + len(second)):
        slots *= 2
    keys = np.empty(slots, dtype=np.uint64)
    used = np.zeros(slots, dtype=np.bool_)
    counts = np.zeros((slots, 2), dtype=np.int64)
    product = first_square = second_square = 0
    for start in range(len(first) - size + 1):
        run = _packed(first, start, size)
        slot = _slot(keys, used, run)
        keys[slot], used[slot] = run, True
        first_square += 2 * counts[slot, 0] + 1
        counts[slot, 0] += 1
    for start in range(len(second) - size + 1):
        run = _packed(second, start, size)
        slot = _slot(keys, used, run)
        keys[slot], used[slot] = run, True
        product += counts[slot, 0]
        second_square += 2 * counts[slot, 1] + 1
        counts[slot, 1] += 1
    return product, first_square, second_square
