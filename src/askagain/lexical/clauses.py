"""From the terms of a query to its clauses: a term in a field, with all its weight needs but tf and dl.

Kernels take a query as the tuple

    (clause_field, clause_term, rows, clause_of, shape, factors)

with one row of term factors per clause, in the order in which weights are summed; `clause_of` leads from
(field, term) to the clause, counted from 1; `factors` holds a length factor per (field, length).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from askagain.jit import Array, Arrays, compiled, inlined
from askagain.lexical.formulas import term_factors, weight

# Columns of a row.
BOOST: Final = 0
FIRST: Final = 1
SECOND: Final = 2
SHIFT: Final = 3


@compiled
def make_query(asked: Array, scoring: Arrays, statistics: Arrays, clause_of: Array) -> Arrays:
    """Terms as asked, with repetitions, to a query, noted in `clause_of` until `forget`."""
    boosts, most_terms, shape, parameters, factors = scoring
    questions, total_terms, holding, occurrences = statistics
    terms, said = _count_terms(asked, clause_of[0])
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
            if holding[f, term] == 0 or boosts[f] <= 0.0:
                continue
            n, occurring = float(holding[f, term]), float(occurrences[f, term])
            clause_field[clauses], clause_term[clauses] = f, term
            rows[clauses, BOOST] = boosts[f] * said[place]
            rows[clauses, FIRST], rows[clauses, SECOND], rows[clauses, SHIFT] = term_factors(
                shape, parameters, n, occurring, float(questions[f]), float(total_terms[f])
            )
            clauses += 1
            clause_of[f, term] = clauses
    return clause_field[:clauses], clause_term[:clauses], rows[:clauses], clause_of, shape, factors


@compiled
def _count_terms(asked: Array, seen: Array) -> Arrays:
    """Distinct terms in order of first appearance, and how often each was said; `seen` is left all zero."""
    terms = np.empty(len(asked), dtype=np.int64)
    said = np.zeros(len(asked))
    count = 0
    for term in asked:
        if seen[term] == 0:
            terms[count] = term
            count += 1
            seen[term] = count
        said[seen[term] - 1] += 1.0
    for place in range(count):
        seen[terms[place]] = 0
    return terms[:count], said[:count]


@compiled
def _most_telling(terms: Array, said: Array, most: int, questions: int, holding: Array) -> Array:
    """The places of the terms with the highest frequency · log(N / n), in order of appearance.

    Terms that no living question holds come last: an index built from scratch would not know them.
    """
    telling = np.zeros(len(terms))
    for place in range(len(terms)):
        n = holding[:, terms[place]].max()
        if n:
            telling[place] = -said[place] * np.log((questions + 1.0) / (n + 0.5))
    return np.sort(np.argsort(telling, kind="mergesort")[:most])


@compiled
def forget(query: Arrays) -> None:
    """Clear `clause_of` after a query."""
    clause_field, clause_term, _, clause_of, _, _ = query
    for clause in range(len(clause_term)):
        clause_of[clause_field[clause], clause_term[clause]] = 0


@inlined
def clause_weight(shape: int, rows: Array, clause: int, tf: float, length_factor: float) -> float:
    """Boosted weight of a clause's term that occurs `tf` times."""
    gain = weight(shape, tf, length_factor, rows[clause, FIRST], rows[clause, SECOND], rows[clause, SHIFT])
    return rows[clause, BOOST] * gain  # type: ignore[no-any-return]
