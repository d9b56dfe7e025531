"""Statistics of shards add up to those of the whole."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askagain.cluster.counting import all_counts, counts_of, difference
from askagain.lexical.index import LexicalIndex, Whole

Text = tuple[list[str], list[str]]
texts = st.tuples(
    st.lists(st.sampled_from("abcdef"), max_size=4), st.lists(st.sampled_from("abcdef"), max_size=9)
)


def index_of(some: list[Text], first: int = 1) -> LexicalIndex:
    index = LexicalIndex(["title", "body"])
    index.add(enumerate(some, first))
    return index


def told(counts: Whole) -> dict[str, list[int]]:
    """By term, so that their order does not matter; those that nobody holds are left out."""
    per_term = {
        term: [*counts.holding[:, place].tolist(), *counts.occurrences[:, place].tolist()]
        for place, term in enumerate(counts.terms)
    }
    totals = [counts.size, *counts.questions.tolist(), *counts.totals.tolist()]
    return {"": totals} | {term: row for term, row in per_term.items() if any(row)}


@given(st.lists(texts, min_size=1, max_size=8), st.lists(texts, max_size=8))
def test_counts_of_two_shards_add_up_to_those_of_the_whole(one: list[Text], two: list[Text]) -> None:
    parts = [told(all_counts(index_of(some))) for some in (one, two)]
    whole = told(all_counts(index_of(one + two)))

    added = {
        key: [sum(each) for each in zip(*(part[key] for part in parts if key in part), strict=True)]
        for key in parts[0].keys() | parts[1].keys()
    }
    assert added == whole


@given(st.lists(texts, min_size=1, max_size=8))
def test_what_is_deleted_is_not_counted(some: list[Text]) -> None:
    index = index_of([*some, (["gone"], ["gone", "a"])])
    index.remove(len(some) + 1)

    assert told(all_counts(index)) == told(all_counts(index_of(some)))
    assert "gone" not in all_counts(index).terms


@given(st.lists(texts, min_size=1, max_size=5), texts)
def test_a_difference_is_what_a_question_adds(some: list[Text], new: Text) -> None:
    index = index_of(some)
    before = counts_of(index, "abcdef")
    index.add([(100, new)])

    assert told(difference(counts_of(index, "abcdef"), before)) == told(counts_of(index_of([new]), "abcdef"))


def test_terms_that_nobody_knows_count_nothing() -> None:
    counts = counts_of(index_of([(["a"], ["b"])]), ["unheard", "a"])

    assert counts.holding[:, 0].tolist() == [0, 0]
    assert counts.holding[:, 1].tolist() == [1, 0]


def test_counts_do_not_change_with_the_index() -> None:
    index = index_of([(["a"], ["b"])])
    before = counts_of(index, ["a"])
    index.add([(7, (["a", "a"], []))])

    assert (before.size, before.totals.tolist()) == (1, [1, 1])
    assert np.array_equal(before.holding, [[1], [0]])
