"""A packed batch step by step, as the recurrences go through it.

Packed: the texts of a batch stand in order of descending length; step t has one row for each text that is
longer than t, so its rows are those of the first `sizes[t]` texts, and no step works on padding.
"""

from __future__ import annotations

from torch import Tensor

Step = tuple[int, int, int, int]
"""How many texts; the first row of their tokens, of the states that they had, and of those that they get."""


def steps_of(sizes: list[int], texts: int) -> list[Step]:
    """Where each step reads and writes; the rows of the first states come before those of all tokens."""
    steps, token, before = [], 0, 0
    for size in sizes:
        steps.append((size, token, before, texts + token))
        before = texts + token
        token += size
    return steps


def sum_from(grad: Tensor | None, of: Tensor) -> Tensor:
    """A copy of a gradient to add to; zeros if there is none."""
    copy = of.new_zeros(of.shape)
    return copy if grad is None else copy.copy_(grad)
