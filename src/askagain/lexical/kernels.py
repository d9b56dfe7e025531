"""The search itself: exact top k without looking at every posting.

A query is a list of clauses (a term in a field, with its row of term factors). Per block of questions:

1. Clauses are taken by falling upper bound. Their postings are added up in single precision (`collect`).
2. From time to time the k-th best partial sum is taken as a floor: no weight is below zero, so k questions
   reach at least that. Whoever cannot reach the floor even with the upper bounds of all clauses that are left
   is out. Once the few who can are cheaper to score than the next postings are to read, reading stops, so
   the longest lists, of the most frequent terms, are usually never touched.
3. The survivors get their exact score from the forward side (`settle`): clauses summed in the query's own
   order, in double precision. A score therefore depends on the query and the archive alone, not on how the
   index came about, and equals that of an index built from scratch to the last bit.

Equal scores are ordered by the archive's question number. Arrays travel in plain tuples, which numba takes
over about as fast as single arguments: `Documents`, `Postings` (see `segment`), and

    query    (clause_field, clause_term, rows, clause_of, shape, factors, narrow_factors)
    scratch  (weights, sums, touched)
    top      (scores, numbers), best first
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.lexical.formulas import BM25, term_factors, weight
from askagain.lexical.jit import compiled, inlined
from askagain.lexical.segment import BLOCK, FREQUENCY_BITS, FREQUENCY_CLASSES, MOST_FREQUENT, WINDOW

# Columns of a clause's row of factors.
BOOST: Final = 0
FIRST: Final = 1
SECOND: Final = 2
SHIFT: Final = 3

SLACK: Final = 1e-5
"""Relative room for rounding in single precision; costs a few needless exact scores, never a result."""

TRACE: Final = np.float32(1e-20)
"""Stands for a weight of zero in partial sums, where zero means "not touched yet"."""


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
    clause_field, clause_term, _, clause_of, _, _, _ = query
    for clause in range(len(clause_term)):
        clause_of[clause_field[clause], clause_term[clause]] = 0


@inlined
def clause_weight(shape, rows, clause, tf, length_factor):  # type: ignore[no-untyped-def]
    """Boosted weight of a clause's term that occurs `tf` times."""
    gain = weight(shape, tf, length_factor, rows[clause, FIRST], rows[clause, SECOND], rows[clause, SHIFT])
    return rows[clause, BOOST] * gain


@inlined
def exact_score(document, documents, query, weights):  # type: ignore[no-untyped-def]
    """One question's score; leaves each clause's weight in `weights`."""
    _, lengths, starts, entries = documents
    _, _, rows, clause_of, shape, factors, _ = query
    fields = lengths.shape[0]
    weights[:] = 0.0
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


@compiled
def offer(score, number, found, top):  # type: ignore[no-untyped-def]
    """Put a result into the sorted top k if it belongs there; gives the new number of results."""
    scores, numbers = top
    if score <= 0.0:
        return found
    place = min(found, len(scores) - 1)
    if found == len(scores) and (score, -number) < (scores[place], -numbers[place]):
        return found
    while place > 0 and (scores[place - 1], -numbers[place - 1]) < (score, -number):
        scores[place] = scores[place - 1]
        numbers[place] = numbers[place - 1]
        place -= 1
    scores[place] = score
    numbers[place] = number
    return min(found + 1, len(scores))


@compiled
def upper_bounds(least_lengths, postings, query, bounds):  # type: ignore[no-untyped-def]
    """The highest weight that each clause can have in a window whose fields are at least that long."""
    shortest, most = postings[4], postings[5]
    clause_field, clause_term, rows, _, shape, factors, _ = query
    for clause in range(len(clause_term)):
        f, term = clause_field[clause], clause_term[clause]
        bounds[clause] = 0.0
        if term >= most.shape[1]:
            continue
        for tf_class in range(FREQUENCY_CLASSES):
            length = shortest[f, term, tf_class]
            if length:
                tf = float(most[f, term]) if tf_class == FREQUENCY_CLASSES - 1 else tf_class + 1.0
                factor = factors[f, max(length, least_lengths[f])]
                bounds[clause] = max(bounds[clause], clause_weight(shape, rows, clause, tf, factor))


@compiled
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
def add_postings(clause, begin, end, postings, lengths, offset, query, sums, touched, count):  # type: ignore[no-untyped-def]
    """Add one clause's weights to a window's partial sums; gives the number of questions touched so far."""
    questions, tf = postings[2], postings[3]
    clause_field, _, rows, _, shape, factors, narrow_factors = query
    f = clause_field[clause]
    if shape == BM25:  # written out: this loop is where most of a query's time goes
        idf = np.float32(rows[clause, BOOST] * rows[clause, FIRST])
        for place in range(begin, end):
            question = questions[place]
            frequency = np.float32(tf[place])
            touched[count] = question
            count += sums[question] == 0.0
            sums[question] += idf * frequency / (frequency + narrow_factors[f, lengths[f, offset + question]])
        return count
    for place in range(begin, end):
        question = questions[place]
        touched[count] = question
        count += sums[question] == 0.0
        gain = clause_weight(shape, rows, clause, float(tf[place]), factors[f, lengths[f, offset + question]])
        sums[question] += max(np.float32(gain), TRACE)
    return count


@compiled
def kth_best(k, sums, touched, count, alive, offset):  # type: ignore[no-untyped-def]
    """The k-th largest partial sum of living questions, 0 if there are fewer."""
    best = np.zeros(k, dtype=np.float32)
    for place in range(count):
        value = sums[touched[place]]
        if value > best[k - 1] and alive[offset + touched[place]]:
            spot = k - 1
            while spot > 0 and best[spot - 1] < value:
                best[spot] = best[spot - 1]
                spot -= 1
            best[spot] = value
    return best[k - 1]


@compiled
def collect(window, k, floor, plan, cost, lengths, alive, postings, query, scratch):  # type: ignore[no-untyped-def]
    """Read postings until the survivors are few: (questions touched, clauses read, floor)."""
    offset, low, high = window
    order, left, unread, cursors, ends = plan
    _, sums, touched = scratch
    questions = postings[2]
    count, read, position = 0, 0, 0
    while position < len(order):
        clause = order[position]
        begin = first_at_least(low, questions, cursors[clause], ends[clause])
        end = first_at_least(high, questions, begin, ends[clause])
        cursors[clause] = end
        count = add_postings(clause, begin, end, postings, lengths, offset, query, sums, touched, count)
        position += 1
        read += end - begin
        worth_a_look = read >= count and unread[position] >= count
        if not worth_a_look or left[position] >= max(floor, left[0] - left[position]):
            continue
        read = 0
        floor = max(floor, kth_best(k, sums, touched, count, alive, offset) * (1.0 - SLACK))
        if left[position] >= floor:
            continue
        hopeful = 0
        for place in range(count):
            hopeful += sums[touched[place]] * (1.0 + SLACK) + left[position] >= floor
        if hopeful * cost <= unread[position]:
            break
    if floor == 0.0 and position == len(order):
        floor = kth_best(k, sums, touched, count, alive, offset) * (1.0 - SLACK)
    return count, position, floor


@compiled
def settle(offset, count, left, floor, documents, alive, query, scratch, found, top):  # type: ignore[no-untyped-def]
    """Score exactly whoever can still reach the floor, and clear the partial sums."""
    weights, sums, touched = scratch
    scores = top[0]
    for place in range(count):
        question = touched[place]
        reach = sums[question] * (1.0 + SLACK) + left
        sums[question] = 0.0
        if reach >= floor and alive[offset + question]:
            score = exact_score(offset + question, documents, query, weights)
            found = offer(score, documents[0][offset + question], found, top)
            if found == len(scores):
                floor = max(floor, scores[-1] * (1.0 - SLACK))
    return found


@compiled
def plan_block(block, postings, query, bounds, order):  # type: ignore[no-untyped-def]
    """Where each clause's postings of a block begin and end."""
    clause_field, clause_term = query[0], query[1]
    starts, base = postings[0][block], postings[1][block]
    cursors = np.zeros(len(bounds), dtype=np.int64)
    ends = np.zeros(len(bounds), dtype=np.int64)
    for clause in order:
        f, term = clause_field[clause], clause_term[clause]
        cursors[clause] = base + starts[f, term]
        ends[clause] = base + starts[f, term + 1]
    return cursors, ends


@compiled
def search_query(documents, alive, postings, query, scratch, found, top):  # type: ignore[no-untyped-def]
    """Bring the best questions of a segment into the top k; gives the new number of results."""
    numbers, lengths, _, entries = documents
    least_lengths = postings[6]
    k = len(top[0])
    bounds = np.empty(len(query[1]))
    upper_bounds(least_lengths[:, 0], postings, query, bounds)
    order = np.argsort(-bounds)[: np.count_nonzero(bounds)]
    left, unread = np.zeros(len(order) + 1), np.zeros(len(order) + 1)
    cost = 2.0 + len(entries) / max(1, len(numbers))
    for block in range(len(postings[1])):
        offset = block * BLOCK
        size = min(BLOCK, len(numbers) - offset)
        cursors, ends = plan_block(block, postings, query, bounds, order)
        width = WINDOW * max(1, size // (8 * WINDOW))
        for low in range(0, size, width):
            high = min(low + width, size)
            upper_bounds(least_lengths[:, (offset + low) // WINDOW], postings, query, bounds)
            for place in range(len(order) - 1, -1, -1):
                clause = order[place]
                left[place] = left[place + 1] + bounds[clause] * (1.0 + SLACK)
                unread[place] = unread[place + 1] + (ends[clause] - cursors[clause]) * (high - low) / (size - low)
            floor = top[0][k - 1] * (1.0 - SLACK) if found == k else 0.0
            if left[0] < floor:
                continue
            plan = (order, left, unread, cursors, ends)
            count, position, floor = collect(
                (offset, low, high), k, floor, plan, cost, lengths, alive, postings, query, scratch
            )
            found = settle(offset, count, left[position], floor, documents, alive, query, scratch, found, top)
    return found


@compiled
def search_segment(queries, scoring, statistics, documents, alive, postings, scratch, found, tops):  # type: ignore[no-untyped-def]
    """Answer several queries from one segment."""
    identities, starts = queries
    boosts, most_terms, shape, parameters, factors, narrow_factors = scoring
    clause_of, sums, touched = scratch
    for place in range(len(found)):
        asked = identities[starts[place] : starts[place + 1]]
        clauses = prepare(asked, boosts, most_terms, statistics, shape, parameters, clause_of)
        query = (clauses[0], clauses[1], clauses[2], clause_of, shape, factors, narrow_factors)
        buffers = (np.empty(len(clauses[0])), sums, touched)
        top = (tops[0][place], tops[1][place])
        found[place] = search_query(documents, alive, postings, query, buffers, found[place], top)
        forget(query)


@compiled
def search_tail(queries, scoring, statistics, documents, alive, count, clause_of, found, tops):  # type: ignore[no-untyped-def]
    """Answer several queries from questions that are not inverted yet, by scoring every one."""
    identities, starts = queries
    boosts, most_terms, shape, parameters, factors, narrow_factors = scoring
    for place in range(len(found)):
        asked = identities[starts[place] : starts[place + 1]]
        clauses = prepare(asked, boosts, most_terms, statistics, shape, parameters, clause_of)
        query = (clauses[0], clauses[1], clauses[2], clause_of, shape, factors, narrow_factors)
        weights = np.empty(len(clauses[0]))
        top = (tops[0][place], tops[1][place])
        for document in range(count):
            if alive[document]:
                score = exact_score(document, documents, query, weights)
                found[place] = offer(score, documents[0][document], found[place], top)
        forget(query)


@compiled
def weigh(asked, scoring, statistics, documents, clause_of):  # type: ignore[no-untyped-def]
    """Score every question of a list: (fields and terms of the clauses, scores, each clause's weights)."""
    boosts, most_terms, shape, parameters, factors, narrow_factors = scoring
    clauses = prepare(asked, boosts, most_terms, statistics, shape, parameters, clause_of)
    query = (clauses[0], clauses[1], clauses[2], clause_of, shape, factors, narrow_factors)
    scores = np.empty(len(documents[0]))
    table = np.empty((len(scores), len(clauses[0])))
    for document in range(len(scores)):
        scores[document] = exact_score(document, documents, query, table[document])
    forget(query)
    return clauses[0], clauses[1], scores, table
