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
