"""The index against brute force: the same questions, the same scores to the last bit, the same order."""

from math import fsum

import numpy as np
import pytest
from brute_force import BM25, LONGEST, MOST_FREQUENT, BruteForce, Texts, ranking, search
from hypothesis import given
from hypothesis import strategies as st
from lexical_cases import every_similarity, similarities

from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.limits import LONGEST_QUERY
from askagain.lexical.similarities import Bm25, Similarity, TfIdf


def index_of(*titles: str) -> LexicalIndex:
    """Questions 1, 2, ... with one field."""
    index = LexicalIndex(["title"])
    index.add((number, [title.split()]) for number, title in enumerate(titles, start=1))
    return index


@pytest.fixture(params=["new questions", "inverted questions"])
def usb(request: pytest.FixtureRequest) -> LexicalIndex:
    index = index_of("boot from usb", "usb sound", "boot usb", "usb sound", "printer")
    if request.param == "inverted questions":
        index.compact()
    return index


# Small collections of every kind


words = st.text("abcdef", min_size=1, max_size=1)
asked = st.lists(words | st.just("unknown"), max_size=12)


@st.composite
def archives(draw: st.DrawFn) -> tuple[LexicalIndex, dict[int, Texts]]:
    """An index after adds, edits, deletes and a compaction at any point, and what must be in it."""
    fields = draw(st.integers(1, 3))
    texts = st.lists(st.lists(words, max_size=8), min_size=fields, max_size=fields)
    index, living = LexicalIndex([f"field {f}" for f in range(fields)]), dict[int, Texts]()
    for _ in range(draw(st.integers(0, 4))):
        added = draw(st.dictionaries(st.integers(0, 2**32 - 1), texts, max_size=6))
        for number in [*(added.keys() & living), *draw(st.sets(st.sampled_from(sorted(living) or [0])))]:
            index.remove(number)
            living.pop(number, None)
        index.add(added.items())
        living |= added
        if draw(st.booleans()):
            index.compact()
    return index, living


@given(archives(), st.lists(asked, max_size=4), similarities(0.01, 1e4), st.integers(1, 30), st.data())
def test_any_search_finds_what_brute_force_finds(
    archive: tuple[LexicalIndex, dict[int, Texts]],
    queries: list[list[str]],
    chosen: Similarity,
    k: int,
    data: st.DataObject,
) -> None:
    index, living = archive
    boosts = data.draw(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 2.0])] * len(index.fields)))
    scoring = Scoring(chosen, boosts, data.draw(st.integers(1, 8)), data.draw(st.booleans()))
    reference = BruteForce(len(index.fields), living)
    expected = [reference.search(query, scoring, k) for query in queries]
    assert [ranking(hits) for hits in index.search(queries, scoring, k)] == expected


@given(archives(), asked, similarities(0.01, 1e4))
def test_weighing_a_question_of_the_index_gives_its_score(
    archive: tuple[LexicalIndex, dict[int, Texts]], query: list[str], chosen: Similarity
) -> None:
    index, living = archive
    scoring = Scoring(chosen, (2.0, 1.0, 0.5)[: len(index.fields)])
    found = dict(search(index, query, scoring, k=100))
    scores, shares = index.weigh(query, scoring, list(living.values()))
    assert dict(zip(living, scores.tolist(), strict=True)) == {
        number: found.get(number, 0.0) for number in living
    }
    assert [fsum(share.values()) for share in shares] == pytest.approx(scores.tolist())


@given(archives())
def test_the_length_is_the_number_of_living_questions(archive: tuple[LexicalIndex, dict[int, Texts]]) -> None:
    index, living = archive
    assert len(index) == len(living)


# One thing at a time


def test_a_better_question_comes_first(usb: LexicalIndex) -> None:
    assert [number for number, _ in search(usb, ["boot", "usb"])] == [3, 1, 2, 4]


def test_equal_scores_come_by_number(usb: LexicalIndex) -> None:
    assert [number for number, _ in search(usb, ["sound"])] == [2, 4]


def test_the_lower_number_stays_when_a_tie_is_cut(usb: LexicalIndex) -> None:
    assert [number for number, _ in search(usb, ["sound"], k=1)] == [2]


@pytest.mark.parametrize("k", [0, -1])
def test_nobody_asked_for_gives_nobody(usb: LexicalIndex, k: int) -> None:
    assert search(usb, ["usb"], k=k) == []


def test_numbers_decide_ties_whatever_the_order_of_arrival() -> None:
    index = LexicalIndex(["title"])
    index.add((number, [["usb"]]) for number in (7, 3, 9, 1))
    assert [number for number, _ in search(index, ["usb"], k=3)] == [1, 3, 7]


def test_questions_without_a_term_of_the_query_are_not_found(usb: LexicalIndex) -> None:
    assert 5 not in dict(search(usb, ["boot", "usb", "sound"]))


def test_a_term_said_twice_counts_twice(usb: LexicalIndex) -> None:
    once, twice = search(usb, ["boot"]), search(usb, ["boot", "boot"])
    assert twice == [(number, 2 * score) for number, score in once]


@pytest.mark.parametrize("query", [[], ["floppy"], ["floppy", "floppy"]])
def test_a_query_without_known_terms_finds_nothing(usb: LexicalIndex, query: list[str]) -> None:
    assert search(usb, query) == []


def test_unknown_terms_change_nothing(usb: LexicalIndex) -> None:
    assert search(usb, ["floppy", "boot"]) == search(usb, ["boot"])


def test_an_empty_index_finds_nothing() -> None:
    index = LexicalIndex(["title"])
    assert search(index, ["usb"]) == []
    assert index.search([], BM25, 10) == []


def test_removed_questions_are_not_found(usb: LexicalIndex) -> None:
    assert usb.remove(3)
    assert [number for number, _ in search(usb, ["boot"])] == [1]


def test_removing_what_is_not_there_says_so(usb: LexicalIndex) -> None:
    assert usb.remove(3)
    assert not usb.remove(3)
    assert not usb.remove(99)


def test_an_edited_question_is_found_by_its_new_text(usb: LexicalIndex) -> None:
    usb.remove(5)
    usb.add([(5, [["scanner"]])])
    assert search(usb, ["printer"]) == []
    assert [number for number, _ in search(usb, ["scanner"])] == [5]


def test_a_field_with_boost_zero_is_not_searched() -> None:
    index = LexicalIndex(["title", "body"])
    index.add([(1, [["usb"], []]), (2, [[], ["usb"]])])
    assert [number for number, _ in search(index, ["usb"], Scoring(Bm25(), (1.0, 0.0)))] == [1]


def test_a_boost_multiplies_what_its_field_gives() -> None:
    index = LexicalIndex(["title", "body"])
    index.add([(1, [["usb"], ["boot"]]), (2, [["boot"], ["usb"]])])
    assert dict(search(index, ["usb"], Scoring(Bm25(), (3.0, 1.0))))[1] == pytest.approx(
        3 * dict(search(index, ["usb"], Scoring(Bm25(), (1.0, 1.0))))[1]
    )


def test_only_the_most_telling_terms_are_searched(usb: LexicalIndex) -> None:
    query = ["usb", "sound", "printer"]
    assert search(usb, query, BM25._replace(most_terms=2)) == search(usb, ["sound", "printer"])


def test_terms_that_no_question_holds_any_more_do_not_use_up_most_terms(usb: LexicalIndex) -> None:
    usb.remove(5)
    one_term = BM25._replace(most_terms=1)
    assert search(usb, ["printer", "sound"], one_term) == search(usb, ["sound"], one_term)


def test_weighing_says_what_each_term_gives_in_each_field() -> None:
    index = LexicalIndex(["title", "body"])
    index.add([(1, [["usb"], ["boot"]]), (2, [["boot"], ["usb"]])])
    [score], [shares] = index.weigh(["usb", "boot"], Scoring(Bm25(), (2.0, 1.0)), [[["usb"], ["boot", "x"]]])
    assert set(shares) == {("title", "usb"), ("body", "boot")}
    assert shares["title", "usb"] > shares["body", "boot"]
    assert fsum(shares.values()) == pytest.approx(score)


def test_texts_that_are_not_in_the_index_can_be_weighed(usb: LexicalIndex) -> None:
    before = search(usb, ["boot", "usb"])
    scores, _ = usb.weigh(["boot", "usb"], BM25, [[["boot", "boot", "usb"]], [["floppy"]], [[]]])
    assert scores[0] > 0
    assert scores[1:].tolist() == [0.0, 0.0]
    assert search(usb, ["boot", "usb"]) == before


def test_documents_are_scored_like_the_texts_that_they_were_made_of(usb: LexicalIndex) -> None:
    texts = [[["boot", "boot", "usb"]], [["floppy"]], [[]], [["usb", "sound"]]]
    documents = usb.foreign(texts)
    for scoring in (BM25, Scoring(TfIdf(), (1.0,))):
        scores = usb.score(["boot", "usb"], scoring, documents).tolist()
        assert scores == usb.weigh(["boot", "usb"], scoring, texts)[0].tolist()


def test_a_question_of_the_index_scores_alike_as_a_document(usb: LexicalIndex) -> None:
    documents = usb.foreign([[["boot", "from", "usb"]]])
    assert usb.score(["usb"], BM25, documents)[0] == dict(search(usb, ["usb"]))[1]


def test_tokens_are_identities_of_terms_field_by_field() -> None:
    index = LexicalIndex(["title", "body"])
    index.add([(1, [["usb"], ["boot"]]), (2, [["boot"], ["usb"]])])
    identities = index.identities(["usb", "boot", "floppy"])
    made = index.foreign_tokens(identities, np.array([0, 1, 3]))
    for array, wanted in zip(made, index.foreign([[["usb"], ["boot", "floppy"]]]), strict=True):
        np.testing.assert_array_equal(array, wanted)


def test_unknown_terms_have_an_identity_that_no_question_has(usb: LexicalIndex) -> None:
    known, unknown, other = usb.identities(["usb", "floppy", "disk"]).tolist()
    assert known < unknown == other
    assert usb.statistics.holding[:, unknown].tolist() == [0]
    assert "floppy" not in usb.vocabulary


# Limits


@every_similarity
def test_a_term_counts_at_most_255_times(chosen: Similarity) -> None:
    index = LexicalIndex(["title"])
    often = ["usb"] * (MOST_FREQUENT + 45)
    at_the_limit = ["usb"] * MOST_FREQUENT + ["boot"] * 45
    index.add([(1, [often]), (2, [at_the_limit]), (3, [["boot"] * 300])])
    [(first, score), (second, same_score)] = search(index, ["usb"], Scoring(chosen, (1.0,)))
    assert (first, second) == (1, 2)
    assert score == same_score


@every_similarity
def test_a_field_counts_as_at_most_65535_terms_long(chosen: Similarity) -> None:
    index = LexicalIndex(["title"])
    filler = [f"w{number % 1000}" for number in range(LONGEST + 5000)]
    longer, at_the_limit = ["usb", *filler], ["usb", *filler[: LONGEST - 1]]
    index.add([(1, [longer]), (2, [at_the_limit]), (3, [filler])])
    [(first, score), (second, same_score)] = search(index, ["usb"], Scoring(chosen, (1.0,)))
    assert (first, second) == (1, 2)
    assert score == same_score


@pytest.mark.parametrize("fields", [1, 3])
def test_every_term_of_a_gigantic_query_counts(fields: int) -> None:
    terms = [f"w{number}" for number in range(LONGEST_QUERY - 1)]
    index = LexicalIndex([f"field {f}" for f in range(fields)])
    index.add([(1, [["first"]] * fields), (2, [terms] * fields)])
    index.compact()
    scoring = Scoring(TfIdf(), (1.0,) * fields)
    reference = BruteForce(fields, {1: [["first"]] * fields, 2: [terms] * fields})
    query = ["first", *terms]
    assert search(index, query, scoring) == reference.search(query, scoring, 10)
