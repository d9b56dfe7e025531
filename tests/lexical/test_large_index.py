"""Brute force again, on collections large enough for windows, frequency classes, segments and blocks."""

import random
from collections.abc import Iterator
from itertools import accumulate

import pytest
from brute_force import BM25, BruteForce, Texts, ranking, search
from lexical_cases import every_similarity

from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import (
    SIMILARITIES,
    DivergenceFromRandomness,
    InformationBased,
    Similarity,
    similarity,
)


def zipf_texts(rng: random.Random, count: int) -> Iterator[Texts]:
    """Titles and bodies of very different lengths whose words follow Zipf's law."""
    words = [f"w{rank}" for rank in range(3000)]
    odds = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    for _ in range(count):
        title = rng.choices(words, cum_weights=odds, k=rng.randint(0, 12))
        body = rng.choices(words, cum_weights=odds, k=min(2000, int(rng.lognormvariate(3.5, 1.2))))
        yield [title, body]


@pytest.fixture(scope="module")
def zipf() -> tuple[LexicalIndex, BruteForce, list[list[str]]]:
    """5,000 living questions in two segments and a tail, a part of the added ones deleted; and queries."""
    rng = random.Random(1)
    questions = dict(zip(rng.sample(range(10**6), 5400), zipf_texts(rng, 5400), strict=True))
    numbers = list(questions)
    index = LexicalIndex(["title", "body"])
    for batch in (numbers[:4000], numbers[4000:5200], numbers[5200:]):
        index.add((number, questions[number]) for number in batch)
    for number in rng.sample(numbers, 400):
        index.remove(number)
        del questions[number]
    titles = [title for title, _ in zipf_texts(rng, 12)]
    posts = [[*title, *body] for title, body in zipf_texts(rng, 4)]
    rare_and_frequent = [["w0"], ["w2999"], ["w0", "w1", "w2", "w2999"], ["w0"] * 3 + ["w17"]]
    return index, BruteForce(2, questions), [*titles, *posts, *rare_and_frequent]


def test_the_large_collection_has_all_parts(zipf: tuple[LexicalIndex, BruteForce, list[list[str]]]) -> None:
    index, _, _ = zipf
    assert len(index) == 5000
    assert [len(segment.alive) for segment in index.segments] == [4000, 1200]


@pytest.mark.parametrize(
    "chosen",
    [
        *(similarity(name) for name in SIMILARITIES),
        InformationBased(distribution="spl", rate="ttf", normalisation="h3"),
        DivergenceFromRandomness(basic_model="g", after_effect="b", normalisation="z"),
    ],
    ids=str,
)
def test_a_large_collection_gives_what_brute_force_finds(
    zipf: tuple[LexicalIndex, BruteForce, list[list[str]]], chosen: Similarity
) -> None:
    index, reference, queries = zipf
    scoring = Scoring(chosen, (2.0, 1.0))
    expected = [reference.search(query, scoring, len(index)) for query in queries]
    for k in (1, 20, len(index) + 1):
        found = [ranking(hits) for hits in index.search(queries, scoring, k)]
        assert found == [everything[:k] for everything in expected]


@every_similarity
def test_several_queries_at_once_are_answered_as_one_by_one(
    zipf: tuple[LexicalIndex, BruteForce, list[list[str]]], chosen: Similarity
) -> None:
    index, _, queries = zipf
    scoring = Scoring(chosen, (2.0, 1.0))
    together = [ranking(hits) for hits in index.search(queries, scoring, 20)]
    assert together == [search(index, query, scoring, 20) for query in queries]


def test_more_questions_than_a_block_holds() -> None:
    rng = random.Random(2)
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [first + second for first in letters for second in letters]
    questions = {number: [rng.choices(pairs, k=rng.randint(1, 5))] for number in range(70_000)}
    index = LexicalIndex(["title"])
    index.add(questions.items())
    reference = BruteForce(1, questions)
    queries = [rng.choices(pairs, k=4) for _ in range(10)]
    expected = [reference.search(query, BM25, 50) for query in queries]
    assert [ranking(hits) for hits in index.search(queries, BM25, 50)] == expected


def test_a_field_may_be_shortest_anywhere_in_a_wide_window() -> None:
    filler = [f"j{place}" for place in range(40)]
    long_titles = [[filler[:10], []]] * 2048 + [[filler[:10], filler[:1]]] * 2047
    texts = [*long_titles, *[[filler[:10], filler[:10]]] * 12_287, [["foo", *filler[:4]], filler[:15]]]
    index = LexicalIndex(["title", "body"])
    index.add([*enumerate(texts), (99_999, [["foo"], filler[:10]])])
    scoring = Scoring(similarity("bm25"), (1.0, 1.0))
    assert [number for number, _ in search(index, ["foo"], scoring, 1)] == [99_999]


def test_a_term_may_weigh_nothing_in_most_questions_and_still_find_the_rest() -> None:
    index = LexicalIndex(["title", "body"])
    weightless = [[["how", "w", "x", "y", "z"], []]] * 3000
    weighty = [[["how"], [f"b{place}" for place in range(50)]]] * 100
    index.add(enumerate([*weightless, *weighty]))
    scoring = Scoring(similarity("lmd"), (1.0, 1.0))
    assert [number for number, _ in search(index, ["how"], scoring, 3)] == [3000, 3001, 3002]


@pytest.fixture(scope="module")
def wide() -> LexicalIndex:
    """Enough questions for windows that are wider than the stretches whose least lengths are known."""
    rng = random.Random(2)
    index = LexicalIndex(["title", "body"])
    index.add(enumerate(zipf_texts(rng, 18_000)))
    return index


@pytest.mark.parametrize("name", SIMILARITIES)
def test_a_short_list_is_the_beginning_of_the_list_of_all(wide: LexicalIndex, name: str) -> None:
    scoring = Scoring(similarity(name), (2.0, 1.0))
    for query in (["w3"], ["w40", "w900"], ["w1", "w2", "w7", "w60", "w500"]):
        everything = search(wide, query, scoring, 18_000)
        for k in (1, 5, 40):
            assert search(wide, query, scoring, k) == everything[:k]
