"""The compiled part of exact search.

A score is summed in double precision, in the order of the dimensions and then of the columns. Products of two
single-precision numbers are exact in double precision, so nothing is left to the compiler's choice: a score
depends on the two vectors alone, not on chunks, on the number of queries or on the matrix product that came
before. That product only rules out rows, by what its rounding can at most amount to.
"""

from __future__ import annotations

import numpy as np

from askagain.jit import Array, Arrays, compiled, inlined

# numba compiles a kernel for each combination of argument types, so the order and types are kept throughout:
# a query or a chunk is the tuple (dense, columns, values, offsets).


@inlined
def _dense_product(query: Array, row: Array) -> float:
    total = 0.0
    for place in range(len(query)):
        total += np.float64(query[place]) * np.float64(row[place])
    return total


@inlined
def _sparse_product(spread: Array, columns: Array, values: Array, start: int, end: int) -> float:
    total = 0.0
    for entry in range(start, end):
        total += np.float64(spread[columns[entry]]) * np.float64(values[entry])
    return total


@inlined
def _worse(score: float, number: int, other_score: float, other_number: int) -> bool:
    """Whether a result comes after another one: by its score, then by its number."""
    return score < other_score or (score == other_score and number > other_number)


@inlined
def _sink(scores: Array, numbers: Array, size: int, place: int) -> None:
    """Move a result down in a heap with the worst one at its root."""
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _worse(scores[child + 1], numbers[child + 1], scores[child], numbers[child]):
            child += 1
        if not _worse(scores[child], numbers[child], scores[place], numbers[place]):
            break
        scores[place], scores[child] = scores[child], scores[place]
        numbers[place], numbers[child] = numbers[child], numbers[place]
        place = child


@inlined
def _rise(scores: Array, numbers: Array, place: int) -> None:
    """Move a result up in the heap."""
    while place > 0:
        parent = (place - 1) // 2
        if not _worse(scores[place], numbers[place], scores[parent], numbers[parent]):
            break
        scores[place], scores[parent] = scores[parent], scores[place]
        numbers[place], numbers[parent] = numbers[parent], numbers[place]
        place = parent


@inlined
def _offer(score: float, number: int, found: int, scores: Array, numbers: Array) -> int:
    """Keep a result if it is among the best; gives the new number of results."""
    if len(scores) == 0:
        return 0
    if found < len(scores):
        scores[found] = score
        numbers[found] = number
        _rise(scores, numbers, found)
        return found + 1
    if _worse(scores[0], numbers[0], score, number):
        scores[0] = score
        numbers[0] = number
        _sink(scores, numbers, found, 0)
    return found


@compiled
def search_chunk(
    queries: Arrays, chunk: Arrays, row_numbers: Array, alive: Array, products: Array, margins: Array,
    spread: Array, found: Array, tops: Arrays,
) -> None:  # fmt: skip
    """Offer the living rows of a chunk to the best of each query.

    products: the dense products [queries, rows] in single precision, wrong by at most each query's margin;
    spread: zeros, one per column.
    """
    query_dense, query_columns, query_values, query_offsets = queries
    dense, columns, values, offsets = chunk
    for query in range(len(found)):
        scores, numbers = tops[0][query], tops[1][query]
        for entry in range(query_offsets[query], query_offsets[query + 1]):
            spread[query_columns[entry]] += query_values[entry]
        for row in range(len(alive)):
            if not alive[row]:
                continue
            sparse = _sparse_product(spread, columns, values, offsets[row], offsets[row + 1])
            most = products[query, row] + sparse + margins[query]
            if 0 < len(scores) == found[query] and most < scores[0]:
                continue
            score = _dense_product(query_dense[query], dense[row]) + sparse
            found[query] = _offer(score, row_numbers[row], found[query], scores, numbers)
        for entry in range(query_offsets[query], query_offsets[query + 1]):
            spread[query_columns[entry]] = 0.0


@compiled
def score_rows(queries: Arrays, query: int, chunk: Arrays, rows: Array, spread: Array) -> Array:
    """The scores of some rows of a chunk for one query; spread: zeros, one per column."""
    query_dense, query_columns, query_values, query_offsets = queries
    dense, columns, values, offsets = chunk
    for entry in range(query_offsets[query], query_offsets[query + 1]):
        spread[query_columns[entry]] += query_values[entry]
    scores = np.empty(len(rows))
    for place in range(len(rows)):
        row = rows[place]
        sparse = _sparse_product(spread, columns, values, offsets[row], offsets[row + 1])
        scores[place] = _dense_product(query_dense[query], dense[row]) + sparse
    for entry in range(query_offsets[query], query_offsets[query + 1]):
        spread[query_columns[entry]] = 0.0
    return scores


@compiled
def offer_rows(
    queries: Arrays, chunk: Arrays, row_numbers: Array, asking: Array, rows: Array, spread: Array,
    found: Array, tops: Arrays,
) -> None:  # fmt: skip
    """Offer some rows of a chunk, each to the best of the query beside it; the queries ascend.

    spread: zeros, one per column; without columns the dense part alone counts.
    """
    query_dense, query_columns, query_values, query_offsets = queries
    dense, columns, values, offsets = chunk
    begin = 0
    while begin < len(rows):
        query, place = asking[begin], begin
        for entry in range(query_offsets[query], query_offsets[query + 1]):
            spread[query_columns[entry]] += query_values[entry]
        while place < len(rows) and asking[place] == query:
            row = rows[place]
            score = _dense_product(query_dense[query], dense[row])
            if len(spread) > 0:
                score += _sparse_product(spread, columns, values, offsets[row], offsets[row + 1])
            found[query] = _offer(score, row_numbers[row], found[query], tops[0][query], tops[1][query])
            place += 1
        for entry in range(query_offsets[query], query_offsets[query + 1]):
            spread[query_columns[entry]] = 0.0
        begin = place
