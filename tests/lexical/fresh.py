"""Compares a live view with an index that is built from scratch on the same archive, bit for bit."""

from collections.abc import Sequence

from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import SIMILARITIES, similarity
from askagain.lexical.view import LexicalView

Terms = Sequence[str]

BOOSTS = (1.0, 0.5, 0.25)
TOPS = (1, 3, 20)


def scorings(fields: int) -> list[Scoring]:
    """Every similarity, and one with all options."""
    boosts = BOOSTS[:fields]
    plain = [Scoring(similarity(name), boosts) for name in SIMILARITIES]
    return [*plain, Scoring(similarity("bm25"), boosts, most_terms=2, coarse_lengths=True)]


def fresh_index(view: LexicalView) -> LexicalIndex:
    """An index that has never seen anything but the archive's present state."""
    questions = list(view.archive.questions())
    numbers = view.archive.numbers(question.id for question in questions)
    index = LexicalIndex(view.fields)
    index.add((numbers[question.id], view.terms_of(question)) for question in questions)
    return index


def difference(view: LexicalView, queries: Sequence[Terms]) -> str | None:
    """The first result in which the view, caught up, is not equal to a fresh index; None if there is none."""
    with view.lock:
        view.catch_up()
        fresh = fresh_index(view)
        if len(view.index) != len(fresh):
            return f"{len(view.index)} questions instead of {len(fresh)}"
        for scoring in scorings(len(view.fields)):
            for k in TOPS:
                found, wanted = hits(view.index, queries, scoring, k), hits(fresh, queries, scoring, k)
                for query, ours, theirs in zip(queries, found, wanted, strict=True):
                    if ours != theirs:
                        return f"{scoring}, k = {k}, {query}: {ours} instead of {theirs}"
    return None


def hits(
    index: LexicalIndex, queries: Sequence[Terms], scoring: Scoring, k: int
) -> list[list[tuple[int, float]]]:
    """Numbers and scores of the best questions per query."""
    found = index.search(queries, scoring, k)
    return [list(zip(best.numbers.tolist(), best.scores.tolist(), strict=True)) for best in found]
