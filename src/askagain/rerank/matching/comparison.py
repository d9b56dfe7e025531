"""Two texts compared column by column: cosine and Euclidean."""

from __future__ import annotations

import torch
from torch import Tensor

_LEAST_SQUARE = 1e-12
_LEAST_LENGTH = 0.01


def cosines(first: Tensor, second: Tensor) -> Tensor:
    """Of all columns with all: [pairs, m, d] and [pairs, n, d] to [pairs, m, n].

    With a zero column it is 0. Columns that are hardly longer count as less alike than their cosine says,
    which would have no limit to its slope there.
    """
    return _units(first) @ _units(second).transpose(1, 2)


def _units(columns: Tensor) -> Tensor:
    return torch.nn.functional.normalize(columns, dim=2, eps=_LEAST_LENGTH)


def closeness(first: Tensor, second: Tensor) -> Tensor:
    """`1 / (1 + Euclidean distance)` of all columns with all: 1 where they are equal, so that most is best.

    A distance as such would have the largest values of a matrix tell which columns are least alike.
    The squares are in double precision, where the distance of like columns is not lost in their lengths.
    """
    a, b = first.double(), second.double()
    lengths = (a * a).sum(2).unsqueeze(2) + (b * b).sum(2).unsqueeze(1)
    squares = lengths - 2 * (a @ b.transpose(1, 2))
    # The root has no slope at 0: below the least square there is none.
    return (1 / (1 + squares.clamp(min=_LEAST_SQUARE).sqrt())).to(first.dtype)
