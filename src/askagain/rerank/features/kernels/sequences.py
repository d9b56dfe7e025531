"""Loops over two sequences of numbers, each of which stands for a word or a character."""

from __future__ import annotations

import numpy as np

from askagain.jit import Array, compiled, inlined

# Tiles are written over with these: no word has a number below 0, and the two differ.
_TILED_FIRST = -1
_TILED_SECOND = -2


@compiled
def longest_run(first: Array, second: Array) -> int:
    """The length of the longest run of numbers that both have."""
    # Two rows of one type and no branch: the compiler makes SIMD instructions of it, ten times as fast.
    before = np.zeros(len(second) + 1, dtype=np.uint32)
    now = np.zeros(len(second) + 1, dtype=np.uint32)
    longest = np.uint32(0)
    for row in range(len(first)):
        for column in range(len(second)):
            run = np.uint32(before[column] + np.uint32(1)) if first[row] == second[column] else np.uint32(0)
            now[column + 1] = run
            longest = max(longest, run)
        before, now = now, before
    return int(longest)


@compiled
def best_local_alignment(first: Array, second: Array, match: int, mismatch: int, gap: int) -> int:
    """The highest score of Smith and Waterman's recurrence, with linear gaps."""
    row_before = np.zeros(len(second) + 1, dtype=np.int64)
    best = 0
    for row in range(len(first)):
        diagonal = left = 0
        for column in range(len(second)):
            above = row_before[column + 1]
            paired = diagonal + (match if first[row] == second[column] else mismatch)
            left = max(0, paired, above + gap, left + gap)
            diagonal = above
            row_before[column + 1] = left
            best = max(best, left)
    return best


@inlined
def _same(first: Array, start: int, second: Array, other_start: int, size: int) -> bool:
    place = 0
    while place < size and first[start + place] == second[other_start + place]:
        place += 1
    return place == size


@inlined
def _lay_tiles(first: Array, second: Array, size: int) -> int:
    """Writes over every common run of this size that no tile covers yet, and counts what it covers."""
    covered = 0
    for start in range(len(first) - size + 1):
        for other_start in range(len(second) - size + 1):
            if _same(first, start, second, other_start, size):
                first[start : start + size] = _TILED_FIRST
                second[other_start : other_start + size] = _TILED_SECOND
                covered += size
                break
    return covered


@compiled
def tiled(first: Array, second: Array, least: int) -> int:
    """How many numbers of each sequence are covered by greedy tiles that are at least this long."""
    first, second = first.copy(), second.copy()
    covered = 0
    size = longest_run(first, second)
    while size >= least:
        covered += _lay_tiles(first, second, size)
        size = longest_run(first, second)
    return covered
