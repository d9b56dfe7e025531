"""The search: exact top k without looking at every posting.

Questions are sorted by length and taken window by window:

1. For every clause and frequency class (tf = 1, 2, 3 to 4, more), the highest weight that it can have in the
   window is computed, from the least length there. Clauses are taken by falling highest weight, and reading a
   posting adds that weight to its question's sum: a table look-up and an addition, whatever the similarity.
   A sum plus the highest weights of the clauses that are left (`left`) is an upper bound of the score.
2. The floor is the k-th best score so far. A question that no clause before the first with left < floor holds
   cannot reach it, so only the questions of those clauses, the rare and telling ones, are looked at. Once so
   few of them can reach the floor that scoring them is cheaper than reading on, reading stops: the longest
   lists, of the most frequent terms, are often not touched.
3. Whoever can reach the floor is scored exactly (see `exact`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.jit import Array, Arrays, Number, compiled, inlined, vectorised
from askagain.lexical.clauses import clause_weight, forget, make_query
from askagain.lexical.exact import exact_score, offer
from askagain.lexical.segment import BLOCK, FREQUENCY_CLASSES, WINDOW, highest_frequency

SLACK: Final = 1e-5
"""Relative room for rounding in single precision; costs a few needless exact scores, never a result."""

TOUCHED: Final = np.float32(1e-30)
"""The least sum that tells a touched question from an untouched one."""

STRETCH: Final = 64
"""A window's sums are looked through in stretches of this many."""

DENSE: Final = 6
"""Looking at one posting's sum costs as much as looking at this many sums in a row."""

EXACT_COST: Final = 150.0
EXACT_COST_PER_ENTRY: Final = 5.0
"""What an exact score costs, in postings read, measured: for each, and per forward entry."""


@inlined
def first_at_least(limit: int, questions: Array, begin: int, end: int) -> int:
    """The first place of an ascending list whose question is not below the limit: galloping search."""
    step = 1
    while begin + step < end and questions[begin + step] < limit:
        begin += step
        step *= 2
    low, high = begin, min(begin + step, end)
    while low < high:
        middle = (low + high) // 2
        if questions[middle] < limit:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def bound_weights(least: Array, query: Arrays, shortest: Array, most: Array, bounds: Array) -> None:
    """Per clause and frequency class, the highest weight in a window whose fields are at least that long."""
    clause_field, clause_term, rows, _, shape, factors = query
    slack = 1.0 + SLACK + len(rows) * 2.0**-23
    for clause in range(len(rows)):
        f, term = clause_field[clause], clause_term[clause]
        for tf_class in range(FREQUENCY_CLASSES):
            length = shortest[f, term, tf_class] if term < most.shape[1] else 0
            bound = 0.0
            if length:
                tf = highest_frequency(tf_class, most[f, term])
                factor = factors[f, max(length, least[f])]
                bound = clause_weight(shape, rows, clause, tf, factor) * slack
            bounds[clause, tf_class] = bound


@compiled
def least_lengths(least: Array, begin: int, end: int) -> Array:
    """Per field, the least length of the questions begin..end, which are windows of WINDOW in `least`."""
    lengths = np.empty(len(least), dtype=np.uint16)
    for f in range(len(least)):
        lengths[f] = least[f, begin // WINDOW : (end - 1) // WINDOW + 1].min()
    return lengths


@inlined
def highest(bounds: Array, clause: int) -> Number:
    """The highest weight of a clause in any frequency class."""
    return max(bounds[clause, 0], bounds[clause, 1], bounds[clause, 2], bounds[clause, 3])


@compiled
def read(questions: Array, classes: Array, bounds: Array, sums: Array) -> None:
    """Add a clause's bounds to the sums of its postings' questions."""
    for place in range(len(questions)):
        sums[questions[place]] += bounds[classes[place]]


@vectorised
def count_in_window(limit: Number, sums: Array) -> Number:
    """How many sums reach the limit."""
    count = np.float32(0.0)
    for place in range(len(sums)):
        count += np.float32(1.0) if sums[place] >= limit else np.float32(0.0)
    return count


@compiled
def count_in_lists(
    limit: Number, questions: Array, begins: Array, ends: Array, lists: int, sums: Array
) -> float:
    """How many postings of the first lists belong to a question whose sum reaches the limit."""
    count = 0
    for position in range(lists):
        for place in range(begins[position], ends[position]):
            count += sums[questions[place]] >= limit
    return float(count)


@compiled
def take_from_window(limit: Number, low: int, high: int, sums: Array, taken: Array) -> int:
    """The questions of a window whose sum reaches the limit; their sums turn negative."""
    count = 0
    for begin in range(low, high, STRETCH):
        stretch = sums[begin : min(begin + STRETCH, high)]
        if count_in_window(limit, stretch) == 0.0:
            continue
        for place in range(len(stretch)):
            if stretch[place] >= limit:
                taken[count] = begin + place
                count += 1
                stretch[place] = -stretch[place]
    return count


@compiled
def take_from_lists(
    limit: Number, questions: Array, begins: Array, ends: Array, lists: int, sums: Array, taken: Array
) -> int:
    """The questions of the first lists whose sum reaches the limit; their sums turn negative."""
    count = 0
    for position in range(lists):
        for place in range(begins[position], ends[position]):
            question = questions[place]
            if sums[question] >= limit:
                taken[count] = question
                count += 1
                sums[question] = -sums[question]
    return count


@compiled
def kth_best(k: int, sums: Array) -> Number:
    """The k-th largest sum of touched questions."""
    best = np.full(k, TOUCHED, dtype=np.float32)
    for begin in range(0, len(sums), STRETCH):
        stretch = sums[begin : begin + STRETCH]
        if count_in_window(best[k - 1], stretch) == 0.0:
            continue
        for place in range(len(stretch)):
            value = stretch[place]
            if value > best[k - 1]:
                spot = k - 1
                while spot > 0 and best[spot - 1] < value:
                    best[spot] = best[spot - 1]
                    spot -= 1
                best[spot] = value
    return best[k - 1]


@compiled
def fetch(offset: int, taken: Array, starts: Array, entries: Array, lengths: Array, sink: Array) -> None:
    """Touch what scoring will need, so that the waits for memory overlap.

    The sum goes into `sink` only so that the compiler does not leave the work out.
    """
    fields = lengths.shape[0]
    touched = 0
    for question in taken:
        slot = (offset + question) * fields
        touched += entries[min(starts[slot], len(entries) - 1)] + lengths[0, offset + question]
    if len(sink):
        sink[0] = touched


@compiled
def settle(
    limit: Number, left: float, offset: int, taken: Array, documents: Arrays, alive: Array, query: Arrays,
    scratch: Arrays, found: int, top: Arrays,
) -> int:  # fmt: skip
    """Score the questions that were taken if their sum reaches the limit, which rises with the results."""
    numbers, lengths, starts, entries = documents
    _, _, rows, clause_of, shape, factors = query
    weights, sums, _ = scratch
    scores, best = top
    fetch(offset, taken, starts, entries, lengths, weights)
    last = len(scores) - 1
    for question in taken:
        if -sums[question] < limit:
            continue
        document = offset + question
        score = exact_score(document, lengths, starts, entries, rows, clause_of, shape, factors, weights)
        if (found <= last or score >= scores[last]) and alive[document]:
            found = offer(score, numbers[document], found, scores, best)
            if found > last:
                limit = max(limit, np.float32((scores[last] - left) * (1.0 - SLACK)))
    return found


@compiled
def search_window(
    offset: int, low: int, high: int, plan: Arrays, cost: float, bounds: Array, documents: Arrays,
    alive: Array, postings: Arrays, query: Arrays, scratch: Arrays, found: int, top: Arrays,
) -> int:  # fmt: skip
    """Bring the best questions of a window into the top k."""
    order, left, unread, firsts, lasts, begins, ends = plan
    questions, classes = postings[2], postings[3]
    _, sums, taken = scratch
    window = sums[low:high]
    k = len(top[0])
    floor = top[0][k - 1] if found == k else 0.0
    if left[0] < floor:
        return found
    window[:] = 0.0
    essential, size, position, since_look = 0, 0, 0, 0
    while position < len(order):
        dense = size * DENSE > high - low
        look = min(size, (high - low) // DENSE)
        if left[position] < floor and since_look >= look and unread[position] > look:
            since_look = 0
            limit = np.float32(floor - left[position])
            if dense:
                reaching = count_in_window(limit, window)
            else:
                reaching = count_in_lists(limit, questions, begins, ends, essential, sums)
            if reaching * cost <= unread[position]:
                break
        clause = order[position]
        begins[position] = first_at_least(low, questions, firsts[clause], lasts[clause])
        ends[position] = first_at_least(high, questions, begins[position], lasts[clause])
        here = slice(begins[position], ends[position])
        read(questions[here], classes[here], bounds[clause], sums)
        since_look += ends[position] - begins[position]
        if left[position] >= floor:
            essential += 1
            size = since_look
        position += 1
    if found < k:  # the leaders first: their scores make a floor
        leading = kth_best(k, window) if k < len(window) else TOUCHED
        count = take_from_window(leading, low, high, sums, taken)
        found = settle(leading, np.inf, offset, taken[:count], documents, alive, query, scratch, found, top)
        floor = top[0][k - 1] if found == k else 0.0
    limit = max(np.float32((floor - left[position]) * (1.0 - SLACK)), TOUCHED)
    if size * DENSE > high - low:
        count = take_from_window(limit, low, high, sums, taken)
    else:
        count = take_from_lists(limit, questions, begins, ends, essential, sums, taken)
    return settle(limit, left[position], offset, taken[:count], documents, alive, query, scratch, found, top)


@inlined
def from_the_middle(turn: int, windows: int) -> int:
    """Which window comes when: the middle ones first, since questions of usual length make a high floor."""
    step = (turn + 1) // 2
    return windows // 2 - step if turn % 2 else windows // 2 + step


@compiled
def search_query(
    documents: Arrays, alive: Array, postings: Arrays, query: Arrays, scratch: Arrays, found: int, top: Arrays
) -> int:
    """Bring the best questions of a segment into the top k; gives the new number of results."""
    posting_starts, bases, _, _, shortest, most, least = postings
    clause_field, clause_term = query[0], query[1]
    clauses, count = len(clause_term), len(documents[0])
    bounds = np.empty((clauses, FREQUENCY_CLASSES), dtype=np.float32)
    if count == 0:
        return found
    bound_weights(least_lengths(least, 0, count), query, shortest, most, bounds)
    falling = np.array([-highest(bounds, clause) for clause in range(clauses)], dtype=np.float32)
    order = np.argsort(falling)[: np.count_nonzero(falling)]
    left, unread = np.zeros(len(order) + 1), np.zeros(len(order) + 1)
    firsts, lasts = np.zeros(clauses, dtype=np.int64), np.zeros(clauses, dtype=np.int64)
    begins, ends = np.zeros(clauses, dtype=np.int64), np.zeros(clauses, dtype=np.int64)
    plan = (order, left, unread, firsts, lasts, begins, ends)
    cost = EXACT_COST + EXACT_COST_PER_ENTRY * len(documents[3]) / max(1, count)
    width = min(BLOCK, WINDOW * max(1, count // (4 * WINDOW)))
    for block in range(len(bases)):
        offset = block * BLOCK
        size = min(BLOCK, count - offset)
        for clause in order:
            f, term = clause_field[clause], clause_term[clause]
            firsts[clause] = bases[block] + posting_starts[block, f, term]
            lasts[clause] = bases[block] + posting_starts[block, f, term + 1]
        windows = (size + width - 1) // width
        for turn in range(windows):
            low = width * from_the_middle(turn, windows)
            high = min(low + width, size)
            window_lengths = least_lengths(least, offset + low, offset + high)
            bound_weights(window_lengths, query, shortest, most, bounds)
            for place in range(len(order) - 1, -1, -1):
                clause = order[place]
                left[place] = left[place + 1] + highest(bounds, clause)
                here = (lasts[clause] - firsts[clause]) * (high - low) / size
                unread[place] = unread[place + 1] + here
            found = search_window(
                offset, low, high, plan, cost, bounds, documents, alive, postings, query, scratch, found, top
            )
    return found


@compiled
def search_segment(
    queries: Arrays, scoring: Arrays, statistics: Arrays, documents: Arrays, alive: Array, postings: Arrays,
    scratch: Arrays, found: Array, tops: Arrays,
) -> None:  # fmt: skip
    """Answer queries from one segment."""
    identities, starts = queries
    clause_of, sums, taken = scratch
    for place in range(len(found)):
        query = make_query(identities[starts[place] : starts[place + 1]], scoring, statistics, clause_of)
        buffers = (np.empty(len(query[1])), sums, taken)
        top = (tops[0][place], tops[1][place])
        found[place] = search_query(documents, alive, postings, query, buffers, found[place], top)
        forget(query)
