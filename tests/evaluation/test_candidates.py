"""A retrieval benchmark in the form of J16: each query with its best candidates."""

from fixed_ranker import FixedRanker

from askagain.evaluation.benchmarks import RetrievalBenchmark
from askagain.evaluation.candidates import candidate_lists
from askagain.evaluation.protocols import run_given


def _retriever(**found: str) -> FixedRanker:
    """Finds questions named by one letter each; nothing for the other queries."""
    return FixedRanker("fixed", {query: list(found.get(query, "")) for query in "abcde"})


def test_each_query_gets_the_retrievers_best_with_their_labels(retrieval: RetrievalBenchmark) -> None:
    lists = candidate_lists(retrieval, _retriever(a="dbe"), depth=3).lists

    assert lists[0].query.id == "a"
    assert [(entry.question.id, entry.rank, entry.relevant) for entry in lists[0].candidates] == [
        ("d", 1, False),
        ("b", 2, True),
        ("e", 3, False),
    ]


def test_queries_without_a_duplicate_among_the_candidates_do_not_count(retrieval: RetrievalBenchmark) -> None:
    benchmark = candidate_lists(retrieval, _retriever(a="b", b="d", d="a", e="d"), depth=2)

    assert [query.id for query in benchmark.queries] == ["a", "e"]


def test_the_given_order_is_the_retrievers(retrieval: RetrievalBenchmark) -> None:
    benchmark = candidate_lists(retrieval, _retriever(a="db", d="ea"), depth=2)

    rankings = run_given(benchmark).rankings()

    assert [[match.id for match in ranking.found] for ranking in rankings] == [["d", "b"], ["e", "a"]]


def test_the_lists_know_the_whole_collection(retrieval: RetrievalBenchmark) -> None:
    benchmark = candidate_lists(retrieval, _retriever(), depth=2)

    assert benchmark.collection == retrieval.questions
