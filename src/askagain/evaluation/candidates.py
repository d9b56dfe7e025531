"""A retrieval benchmark as one of re-ranking, in the form of J16: each query with its best candidates."""

from __future__ import annotations

from askagain.evaluation.benchmarks import RerankingBenchmark, RetrievalBenchmark
from askagain.question import Question
from askagain.ranker import Ranker
from askagain.sources.base import Progress, no_progress
from askagain.sources.lists import Candidate, CandidateList


def candidate_lists(
    benchmark: RetrievalBenchmark, retriever: Ranker, depth: int, progress: Progress = no_progress
) -> RerankingBenchmark:
    """The retriever's best candidates for each query, labelled by the marks.

    Lists without a marked duplicate do not count, as in Lei et al.; the order that is given is the
    retriever's.
    """
    lists = []
    for done, query in enumerate(benchmark.queries, start=1):
        found = [benchmark.by_id[match.id] for match in retriever.search(query, depth)]
        lists.append(CandidateList(query, _labelled(found, benchmark.relevant[query.id])))
        progress(done, len(benchmark.queries))
    return RerankingBenchmark(
        f"{benchmark.name}, {retriever.name}'s best {depth}",
        benchmark.split,
        benchmark.fields,
        "lei",
        tuple(lists),
        benchmark.questions,
    )


def _labelled(found: list[Question], relevant: frozenset[str]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(question, rank, question.id in relevant) for rank, question in enumerate(found, start=1)
    )
