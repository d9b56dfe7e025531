"""Statistics of shards: what one tells of its terms, and what has become of them."""

from __future__ import annotations

from collections.abc import Iterable

from askagain.lexical.index import LexicalIndex, Whole


def counts_of(index: LexicalIndex, terms: Iterable[str]) -> Whole:
    """What an index holds of some terms."""
    each = tuple(terms)
    identities = index.identities(each)
    statistics = index.statistics
    return Whole(
        each,
        len(index),
        statistics.questions.copy(),
        statistics.terms.copy(),
        statistics.holding[:, identities],
        statistics.occurrences[:, identities],
    )


def all_counts(index: LexicalIndex) -> Whole:
    """What an index holds of all terms that are there."""
    held = index.statistics.holding.max(axis=0)
    return counts_of(index, [term for term, identity in index.vocabulary.items() if held[identity]])


def difference(after: Whole, before: Whole) -> Whole:
    """What has changed between two counts of the same terms."""
    return Whole(
        after.terms,
        after.size - before.size,
        after.questions - before.questions,
        after.totals - before.totals,
        after.holding - before.holding,
        after.occurrences - before.occurrences,
    )
