"""The search itself: exact top k without looking at every posting.

A query is a list of clauses (a term in a field, with its row of term factors). Questions are sorted by length
and taken window by window:

1. For every clause and frequency class (tf = 1, 2, more) the highest weight that it can have in the window is
   computed, from the least length there. Clauses are taken by falling highest weight, and reading a posting
   adds that weight to its question's sum: a table look-up and an addition, whatever the similarity. A sum plus
   the highest weights of the clauses that are left is an upper bound of the score.
2. Once the clauses that are left could not bring a question into the top k by themselves, and the questions
   whose bound reaches the k-th best score so far are cheaper to score than the rest is to read, reading stops:
   the longest lists, of the most frequent terms, are often not touched.
3. Whoever can reach the k-th best score is scored exactly, from the forward side: clauses summed in the query's
   own order, in double precision. A score therefore depends on the query and the archive alone, not on how the
   index came about, and equals that of an index built from scratch to the last bit.

Equal scores are ordered by the archive's question number. Arrays travel in plain tuples, which numba takes
over about as fast as single arguments: `Documents`, `Postings` (see `segment`), and

    query    (clause_field, clause_term, rows, clause_of, shape, factors)
    scratch  (weights, sums)
    top      (scores, numbers), best first
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.lexical.formulas import term_factors, weight
from askagain.lexical.jit import compiled, inlined, vectorised
from askagain.lexical.segment import BLOCK, FREQUENCY_BITS, FREQUENCY_CLASSES, MOST_FREQUENT, WINDOW

# Columns of a clause's row of factors.
BOOST: Final = 0
FIRST: Final = 1
SECOND: Final = 2
SHIFT: Final = 3

SLACK: Final = 1e-5
"""Relative room for rounding in single precision; costs a few needless exact scores, never a result."""

STRETCH: Final = 64
"""Sums are looked through in stretches of this many."""

LOOK: Final = 0.2
"""Counting who can reach the floor costs so much of reading a posting, per question."""

TRACE: Final = np.float32(1e-30)
"""The least sum that tells a touched question from an untouched one."""


@compiled
def prepare(identities, boosts, most_terms, statistics, shape, parameters, clause_of):  # type: ignore[no-untyped-def]
    """Terms as asked, with repetitions, to clauses (field, term, rows), noted in `clause_of`, counted from 1."""
    questions, total_terms, holding, occurrences = statistics
    terms, said = _count_terms(identities, clause_of[0])
    if len(terms) > most_terms:
        kept = _most_telling(terms, said, most_terms, questions.max(), holding)
        terms, said = terms[kept], said[kept]
    clause_field = np.empty(len(terms) * len(boosts), dtype=np.int64)
    clause_term = np.empty(len(terms) * len(boosts), dtype=np.int64)
    rows = np.empty((len(terms) * len(boosts), 4))
    clauses = 0
    for f in range(len(boosts)):
        for place in range(len(terms)):
            term = terms[place]
            n, occurring = holding[f, term], occurrences[f, term]
            if n == 0 or boosts[f] <= 0.0:
                continue
            clause_field[clauses], clause_term[clauses] = f, term
            rows[clauses, BOOST] = boosts[f] * said[place]
            rows[clauses, FIRST], rows[clauses, SECOND], rows[clauses, SHIFT] = term_factors(
                shape, parameters, float(n), float(occurring), float(questions[f]), float(total_terms[f])
            )
            clauses += 1
            clause_of[f, term] = clauses
    return clause_field[:clauses], clause_term[:clauses], rows[:clauses]


@compiled
def _count_terms(identities, seen):  # type: ignore[no-untyped-def]
    """Distinct terms in order of first appearance, and how often each was said; `seen` is left all zero."""
    terms = np.empty(len(identities), dtype=np.int64)
    said = np.zeros(len(identities))
    count = 0
    for identity in identities:
        if seen[identity] == 0:
            terms[count] = identity
            count += 1
            seen[identity] = count
        said[seen[identity] - 1] += 1.0
    for place in range(count):
        seen[terms[place]] = 0
    return terms[:count], said[:count]


@compiled
def _most_telling(terms, said, most, questions, holding):  # type: ignore[no-untyped-def]
    """The places of the terms with the highest frequency · log(N / n), in order of appearance."""
    telling = np.empty(len(terms))
    for place in range(len(terms)):
        telling[place] = -said[place] * np.log((questions + 1.0) / (holding[:, terms[place]].max() + 0.5))
    return np.sort(np.argsort(telling, kind="mergesort")[:most])


@compiled
def forget(query):  # type: ignore[no-untyped-def]
    """Clear `clause_of` after a query."""
    clause_field, clause_term, _, clause_of, _, _ = query
    for clause in range(len(clause_term)):
        clause_of[clause_field[clause], clause_term[clause]] = 0


@inlined
def clause_weight(shape, rows, clause, tf, length_factor):  # type: ignore[no-untyped-def]
    """Boosted weight of a clause's term that occurs `tf` times."""
    gain = weight(shape, tf, length_factor, rows[clause, FIRST], rows[clause, SECOND], rows[clause, SHIFT])
    return rows[clause, BOOST] * gain


@inlined
def exact_score(document, lengths, starts, entries, clause_of, shape, rows, factors, weights):  # type: ignore[no-untyped-def]
    """One question's score; leaves each clause's weight in `weights`."""
    fields = lengths.shape[0]
    for clause in range(len(weights)):
        weights[clause] = 0.0
    for f in range(fields):
        factor = factors[f, lengths[f, document]]
        for place in range(starts[document * fields + f], starts[document * fields + f + 1]):
            clause = clause_of[f, entries[place] >> FREQUENCY_BITS]
            if clause:
                tf = float(entries[place] & MOST_FREQUENT)
                weights[clause - 1] = clause_weight(shape, rows, clause - 1, tf, factor)
    total = 0.0
    for clause in range(len(weights)):
        total += weights[clause]
    return total


@inlined
def offer(score, number, found, scores, numbers):  # type: ignore[no-untyped-def]
    """Put a result into the sorted top k if it belongs there; gives the new number of results."""
    k = len(scores)
    last = k - 1
    wanted = score > 0.0 and (
        found < k or score > scores[last] or (score == scores[last] and number < numbers[last])
    )
    if wanted:
        place = min(found, last)
        while place > 0 and (
            scores[place - 1] < score or (scores[place - 1] == score and numbers[place - 1] > number)
        ):
            scores[place] = scores[place - 1]
            numbers[place] = numbers[place - 1]
            place -= 1
        scores[place] = score
        numbers[place] = number
        found = min(found + 1, k)
    return found


@inlined
def first_at_least(limit, questions, begin, end):  # type: ignore[no-untyped-def]
    """The first place in an ascending list whose question is not below the limit; steps double, then halve."""
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
def bound_weights(least, f_of, term_of, rows, shape, factors, shortest, most, bounds):  # type: ignore[no-untyped-def]
    """Per clause and frequency class, the highest weight in a window whose fields are at least that long."""
    slack = 1.0 + SLACK + len(term_of) * 2.0**-23
    for clause in range(len(term_of)):
        f, term = f_of[clause], term_of[clause]
        for tf_class in range(FREQUENCY_CLASSES):
            length = shortest[f, term, tf_class] if term < most.shape[1] else 0
            bound = 0.0
            if length:
                tf = float(most[f, term]) if tf_class == FREQUENCY_CLASSES - 1 else tf_class + 1.0
                factor = factors[f, max(length, least[f])]
                bound = clause_weight(shape, rows, clause, tf, factor) * slack
            bounds[clause, tf_class] = bound


@compiled
def read(questions, classes, bounds, sums):  # type: ignore[no-untyped-def]
    """Add a clause's bounds to the sums of its postings' questions."""
    for place in range(len(questions)):
        sums[questions[place]] += bounds[classes[place]]


@vectorised
def count_reaching(limit, sums):  # type: ignore[no-untyped-def]
    """How many sums are at least the limit."""
    count = np.float32(0.0)
    for place in range(len(sums)):
        count += np.float32(1.0) if sums[place] >= limit else np.float32(0.0)
    return count


@compiled
def kth_best(k, sums):  # type: ignore[no-untyped-def]
    """The k-th largest sum."""
    best = np.zeros(k, dtype=np.float32)
    for begin in range(0, len(sums), STRETCH):
        stretch = sums[begin : begin + STRETCH]
        if count_reaching(best[k - 1], stretch) == 0:
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
def settle(limit, left, first, sums, documents, alive, query, weights, found, top):  # type: ignore[no-untyped-def]
    """Score exactly every question of a window whose sum reaches the limit, which rises with the results."""
    numbers, lengths, starts, entries = documents
    _, _, rows, clause_of, shape, factors = query
    scores, best = top
    for begin in range(0, len(sums), STRETCH):
        stretch = sums[begin : begin + STRETCH]
        if count_reaching(limit, stretch) == 0:
            continue
        for place in range(len(stretch)):
            document = first + begin + place
            if stretch[place] < limit or not alive[document]:
                continue
            stretch[place] = 0.0
            score = exact_score(document, lengths, starts, entries, clause_of, shape, rows, factors, weights)
            found = offer(score, numbers[document], found, scores, best)
            if found == len(scores):
                limit = max(limit, np.float32((scores[found - 1] - left) * (1.0 - SLACK)))
    return found


@compiled
def search_query(documents, alive, postings, query, scratch, found, top):  # type: ignore[no-untyped-def]
    """Bring the best questions of a segment into the top k; gives the new number of results."""
    posting_starts, bases, questions, classes, shortest, most, least = postings
    f_of, term_of, rows, _, shape, factors = query
    weights, sums = scratch
    scores = top[0]
    k = len(scores)
    count = len(documents[0])
    clauses = len(term_of)
    bounds = np.empty((clauses, FREQUENCY_CLASSES), dtype=np.float32)
    bound_weights(least[:, 0], f_of, term_of, rows, shape, factors, shortest, most, bounds)
    highest = np.empty(clauses)
    for clause in range(clauses):
        highest[clause] = -max(bounds[clause, 0], bounds[clause, 1], bounds[clause, 2])
    order = np.argsort(highest)[: np.count_nonzero(highest)]
    left, unread = np.zeros(len(order) + 1), np.zeros(len(order) + 1)
    cursors, ends = np.zeros(clauses, dtype=np.int64), np.zeros(clauses, dtype=np.int64)
    cost = 100.0 + 6.0 * len(documents[3]) / max(1, count)
    width = min(BLOCK, WINDOW * max(1, count // (4 * WINDOW)))
    for block in range(len(bases)):
        offset = block * BLOCK
        size = min(BLOCK, count - offset)
        for clause in order:
            f, term = f_of[clause], term_of[clause]
            cursors[clause] = bases[block] + posting_starts[block, f, term]
            ends[clause] = bases[block] + posting_starts[block, f, term + 1]
        for low in range(0, size, width):
            high = min(low + width, size)
            bound_weights(
                least[:, (offset + low) // WINDOW], f_of, term_of, rows, shape, factors, shortest, most, bounds
            )
            for place in range(len(order) - 1, -1, -1):
                clause = order[place]
                left[place] = left[place + 1] + max(bounds[clause, 0], bounds[clause, 1], bounds[clause, 2])
                here = (ends[clause] - cursors[clause]) * (high - low) / (size - low)
                unread[place] = unread[place + 1] + here
            floor = scores[k - 1] if found == k else 0.0
            if left[0] < floor:
                continue
            window = sums[low:high]
            window[:] = 0.0
            position = 0
            while position < len(order):
                clause = order[position]
                if left[position] < floor and unread[position] > LOOK * (high - low):
                    reaching = count_reaching(np.float32(floor - left[position]), window)
                    if reaching * cost <= unread[position]:
                        break
                begin = first_at_least(low, questions, cursors[clause], ends[clause])
                end = first_at_least(high, questions, begin, ends[clause])
                cursors[clause] = end
                read(questions[begin:end], classes[begin:end], bounds[clause], sums)
                position += 1
            if found < k:
                leaders = max(kth_best(k, window), TRACE)
                found = settle(
                    leaders, np.inf, offset + low, window, documents, alive, query, weights, found, top
                )
                floor = scores[k - 1] if found == k else 0.0
            limit = max(np.float32((floor - left[position]) * (1.0 - SLACK)), TRACE)
            found = settle(
                limit, left[position], offset + low, window, documents, alive, query, weights, found, top
            )
    return found


@compiled
def search_segment(queries, scoring, statistics, documents, alive, postings, scratch, found, tops):  # type: ignore[no-untyped-def]
    """Answer several queries from one segment."""
    identities, starts = queries
    boosts, most_terms, shape, parameters, factors = scoring
    clause_of, sums = scratch
    for place in range(len(found)):
        asked = identities[starts[place] : starts[place + 1]]
        clauses = prepare(asked, boosts, most_terms, statistics, shape, parameters, clause_of)
        query = (clauses[0], clauses[1], clauses[2], clause_of, shape, factors)
        buffers = (np.empty(len(clauses[0])), sums)
        top = (tops[0][place], tops[1][place])
        found[place] = search_query(documents, alive, postings, query, buffers, found[place], top)
        forget(query)


@compiled
def search_tail(queries, scoring, statistics, documents, alive, count, clause_of, found, tops):  # type: ignore[no-untyped-def]
    """Answer several queries from questions that are not inverted yet, by scoring every one."""
    identities, starts = queries
    numbers, lengths, doc_starts, entries = documents
    boosts, most_terms, shape, parameters, factors = scoring
    for place in range(len(found)):
        asked = identities[starts[place] : starts[place + 1]]
        clauses = prepare(asked, boosts, most_terms, statistics, shape, parameters, clause_of)
        query = (clauses[0], clauses[1], clauses[2], clause_of, shape, factors)
        weights = np.empty(len(clauses[0]))
        for document in range(count):
            if alive[document]:
                score = exact_score(document, lengths, doc_starts, entries, clause_of, shape, clauses[2], factors, weights)
                found[place] = offer(score, numbers[document], found[place], tops[0][place], tops[1][place])
        forget(query)


@compiled
def weigh(asked, scoring, statistics, documents, clause_of):  # type: ignore[no-untyped-def]
    """Score every question of a list: (fields and terms of the clauses, scores, each clause's weights)."""
    boosts, most_terms, shape, parameters, factors = scoring
    clauses = prepare(asked, boosts, most_terms, statistics, shape, parameters, clause_of)
    query = (clauses[0], clauses[1], clauses[2], clause_of, shape, factors)
    _, lengths, starts, entries = documents
    scores = np.empty(len(documents[0]))
    table = np.empty((len(scores), len(clauses[0])))
    for document in range(len(scores)):
        scores[document] = exact_score(
            document, lengths, starts, entries, clause_of, shape, clauses[2], factors, table[document]
        )
    forget(query)
    return clauses[0], clauses[1], scores, table
