"""The compiled part of exact search.

A score is summed in double precision, in the order of the dimensions and then of the columns. Products of two
single-precision numbers are exact in double precision, so nothing is left to the compiler's choice: a score
depends on the two vectors alone, not on chunks, on the number of queries or on the product that came before.
That product only rules out rows, by how far it can at most be from the true one.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.jit import Array, Arrays, compiled, inlined, vectorised

# So many rows stay in the processor's cache while all queries are multiplied with them.
_BLOCK: Final = 128

LARGEST_CODE: Final = np.float32(127)
"""What a number of 8 bits can tell at most."""

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
def round_rows(dense: Array, codes: Array, scales: Array) -> float:
    """Rows to 127ths of their largest values; gives the length of the longest difference."""
    longest = 0.0
    for row in range(len(dense)):
        largest = np.float32(0.0)
        for place in range(dense.shape[1]):
            largest = max(largest, abs(dense[row, place]))
        scale = largest / LARGEST_CODE
        scales[row] = scale
        square = 0.0
        for place in range(dense.shape[1]):
            value = dense[row, place]
            code = np.float32(0.0)
            if scale > 0:
                # The scale of a row of subnormal numbers is itself rounded: not beyond the largest code.
                code = max(-LARGEST_CODE, min(LARGEST_CODE, np.rint(value / scale)))
            codes[row, place] = np.int8(code)
            square += (np.float64(value) - np.float64(scale) * np.float64(code)) ** 2
        longest = max(longest, square)
    return float(np.sqrt(longest))


@inlined
def _code_product(query: Array, codes: Array) -> np.int32:
    """Of whole numbers that are small enough for a sum of 32 bits: many of them are multiplied at once."""
    total = np.int32(0)
    for place in range(len(query)):
        total = np.int32(total + np.int32(np.int32(query[place]) * np.int32(codes[place])))
    return total


@compiled
def code_products(queries: Array, steps: Array, codes: Array, scales: Array) -> Array:
    """The products of rounded queries and rounded rows: [queries, rows]."""
    products = np.empty((len(queries), len(codes)), dtype=np.float32)
    for query in range(len(queries)):
        for row in range(len(codes)):
            product = np.float32(_code_product(queries[query], codes[row]))
            products[query, row] = product * scales[row] * steps[query]
    return products


@vectorised
def _eight_products(
    first: Array, second: Array, third: Array, fourth: Array, row: Array, other: Array
) -> tuple[np.float32, ...]:
    """Of four queries with two rows: each number is read once for several products."""
    a0 = b0 = c0 = d0 = a1 = b1 = c1 = d1 = np.float32(0.0)
    for place in range(len(row)):
        a, b, c, d = first[place], second[place], third[place], fourth[place]
        a0 += a * row[place]
        b0 += b * row[place]
        c0 += c * row[place]
        d0 += d * row[place]
        a1 += a * other[place]
        b1 += b * other[place]
        c1 += c * other[place]
        d1 += d * other[place]
    return a0, b0, c0, d0, a1, b1, c1, d1


@compiled
def products_of_many(queries: Array, rows: Array) -> Array:
    """Products in single precision: [queries, rows]."""
    products = np.empty((len(queries), len(rows)), dtype=np.float32)
    for begin in range(0, len(rows), _BLOCK):
        some = slice(begin, begin + _BLOCK)
        for query in range(0, len(queries), 4):
            _four_queries(queries[query : query + 4], rows[some], products[query : query + 4, some])
    return products


@inlined
def _four_queries(queries: Array, rows: Array, products: Array) -> None:
    """Where four queries or two rows are not left, the last one stands in for what is missing."""
    b, c, d = min(1, len(queries) - 1), min(2, len(queries) - 1), min(3, len(queries) - 1)
    for row in range(0, len(rows), 2):
        other = min(row + 1, len(rows) - 1)
        eight = _eight_products(queries[0], queries[b], queries[c], queries[d], rows[row], rows[other])
        products[0, row], products[b, row], products[c, row], products[d, row] = eight[:4]
        products[0, other], products[b, other], products[c, other], products[d, other] = eight[4:]


@compiled
def search_chunk(
    queries: Arrays, chunk: Arrays, row_numbers: Array, alive: Array, products: Array, margins: Array,
    spread: Array, found: Array, tops: Arrays,
) -> None:  # fmt: skip
    """Offer the living rows of a chunk to the best of each query.

    products: the dense products [queries, rows], wrong by at most each query's margin;
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
            sparse = 0.0
            if len(spread) > 0:
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
def score_pairs(
    queries: Arrays, chunk: Arrays, asking: Array, rows: Array, places: Array, spread: Array, scores: Array
) -> None:  # fmt: skip
    """The scores of some rows of a chunk, each for the query beside it, to the place beside it.

    Equal queries stand together; spread: zeros, one per column.
    """
    query_dense, query_columns, query_values, query_offsets = queries
    dense, columns, values, offsets = chunk
    begin = 0
    while begin < len(rows):
        query, pair = asking[begin], begin
        for entry in range(query_offsets[query], query_offsets[query + 1]):
            spread[query_columns[entry]] += query_values[entry]
        while pair < len(rows) and asking[pair] == query:
            row = rows[pair]
            sparse = _sparse_product(spread, columns, values, offsets[row], offsets[row + 1])
            scores[places[pair]] = _dense_product(query_dense[query], dense[row]) + sparse
            pair += 1
        for entry in range(query_offsets[query], query_offsets[query + 1]):
            spread[query_columns[entry]] = 0.0
        begin = pair


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
