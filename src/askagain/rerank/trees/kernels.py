"""How rows go down trees. Node numbers are unsigned: a number that may be negative is checked at each use."""

from __future__ import annotations

import numpy as np

from askagain.jit import Array, Arrays, compiled


@compiled
def add_leaves(matrix: Array, nodes: Arrays, roots: Array, depths: Array, scores: Array) -> None:
    """Adds the values of the leaves that each row of the matrix comes to.

    All rows go down a tree together, level by level: none has to wait until another one knows its way. A
    leaf leads to itself, so that it does not matter that some rows are there earlier.
    """
    columns, borders, children, values = nodes
    places = np.empty(len(matrix), dtype=np.uint32)
    for tree in range(len(roots)):
        places[:] = roots[tree]
        for _ in range(depths[tree]):
            for row in range(len(matrix)):
                node = places[row]
                # Not the same as >: what is not a number goes to the right.
                right = np.uint32(not matrix[row, columns[node]] <= borders[node])
                places[row] = children[node, right]
        for row in range(len(matrix)):
            scores[row] += values[places[row]]


@compiled
def add_shares(row: Array, nodes: Arrays, roots: Array, shares: Array) -> None:
    """Adds by how much the value changes at each split of a row's way to the split's column."""
    columns, borders, children, values = nodes
    for root in roots:
        node = root
        while children[node, 0] != node:
            column = columns[node]
            below = children[node, np.uint32(not row[column] <= borders[node])]
            shares[column] += values[below] - values[node]
            node = below
