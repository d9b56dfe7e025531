"""Exact scores from the forward side of the index.

Weights are summed in the order of the query's clauses, in double precision. A score depends on the query and
the archive alone, not on how the index came about, and equals that of an index built from scratch to the last
bit. Equal scores are ordered by the archive's question number.
"""

from __future__ import annotations

import numpy as np

from askagain.jit import Array, Arrays, compiled, inlined
from askagain.lexical.clauses import clause_weight, forget, make_query
from askagain.lexical.segment import FREQUENCY_BITS, MOST_FREQUENT


@inlined
def exact_score(
    document: int, lengths: Array, starts: Array, entries: Array, rows: Array, clause_of: Array, shape: int,
    factors: Array, weights: Array,
) -> float:  # fmt: skip
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
def offer(score: float, number: int, found: int, scores: Array, numbers: Array) -> int:
    """Put a result into the sorted top k if it belongs there; gives the new number of results."""
    last = len(scores) - 1
    better = score > scores[last] or (score == scores[last] and number < numbers[last])
    if score > 0.0 and (found <= last or better):
        place = min(found, last)
        while place > 0 and (
            scores[place - 1] < score or (scores[place - 1] == score and numbers[place - 1] > number)
        ):
            scores[place] = scores[place - 1]
            numbers[place] = numbers[place - 1]
            place -= 1
        scores[place] = score
        numbers[place] = number
        found = min(found + 1, last + 1)
    return found


@compiled
def search_all(
    queries: Arrays, scoring: Arrays, statistics: Arrays, documents: Arrays, alive: Array, count: int,
    clause_of: Array, found: Array, tops: Arrays,
) -> None:  # fmt: skip
    """Answer queries from the first `count` questions, not inverted yet, by scoring every living one."""
    identities, query_starts = queries
    numbers, lengths, starts, entries = documents
    for place in range(len(found)):
        asked = identities[query_starts[place] : query_starts[place + 1]]
        query = make_query(asked, scoring, statistics, clause_of)
        _, _, rows, _, shape, factors = query
        weights = np.empty(len(rows))
        for document in range(count):
            if alive[document]:
                score = exact_score(
                    document, lengths, starts, entries, rows, clause_of, shape, factors, weights
                )
                found[place] = offer(score, numbers[document], found[place], tops[0][place], tops[1][place])
        forget(query)


@compiled
def score_lists(
    lists: Arrays, tokens: Arrays, scoring: Arrays, statistics: Arrays, documents: Arrays, clause_of: Array,
    scores: Arrays,
) -> None:  # fmt: skip
    """Scores documents for others, which ask: list l is of document `asked[l]`, and has its score for itself
    and those of the documents `found[starts[l]:starts[l + 1]]`. Terms of documents are in `tokens`.
    """
    asked, found, list_starts = lists
    identities, token_starts = tokens
    _, lengths, starts, entries = documents
    of_itself, of_found = scores
    for place in range(len(asked)):
        own = asked[place]
        terms = identities[token_starts[own] : token_starts[own + 1]]
        query = make_query(terms, scoring, statistics, clause_of)
        _, _, rows, _, shape, factors = query
        weights = np.empty(len(rows))
        of_itself[place] = exact_score(
            own, lengths, starts, entries, rows, clause_of, shape, factors, weights
        )
        for pair in range(list_starts[place], list_starts[place + 1]):
            of_found[pair] = exact_score(
                found[pair], lengths, starts, entries, rows, clause_of, shape, factors, weights
            )
        forget(query)


@compiled
def weigh(asked: Array, scoring: Arrays, statistics: Arrays, documents: Arrays, clause_of: Array) -> Arrays:
    """Score given questions: (field and term of each clause, scores, each clause's weights)."""
    query = make_query(asked, scoring, statistics, clause_of)
    clause_field, clause_term, rows, _, shape, factors = query
    numbers, lengths, starts, entries = documents
    scores = np.empty(len(numbers))
    table = np.empty((len(numbers), len(rows)))
    for document in range(len(numbers)):
        scores[document] = exact_score(
            document, lengths, starts, entries, rows, clause_of, shape, factors, table[document]
        )
    forget(query)
    return clause_field, clause_term, scores, table
