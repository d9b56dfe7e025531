"""Drives systems through a benchmark: a temporary archive of its questions, one run per system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from askagain.archive import Archive
from askagain.errors import SettingsError
from askagain.evaluation.benchmarks import Benchmark, RerankingBenchmark, RetrievalBenchmark
from askagain.evaluation.candidates import candidate_lists
from askagain.evaluation.protocols import (
    RerankingRun,
    RetrievalRun,
    run_given,
    run_oracle,
    run_random,
    run_reranking,
    run_retrieval,
)
from askagain.question import Question
from askagain.ranker import Ranker
from askagain.sources.base import Progress, no_progress
from askagain.systems import System, load_system, make_ranker
from askagain.views import Views

Run = RetrievalRun | RerankingRun

# Called with (system or step, how much is done, how much there is).
NamedProgress = Callable[[str, int, int], None]

ORDERINGS: Final[Mapping[str, Callable[[RerankingBenchmark, int], RerankingRun]]] = {
    "given": lambda benchmark, seed: run_given(benchmark),
    "oracle": lambda benchmark, seed: run_oracle(benchmark),
    "random": run_random,
}
"""What exists for every re-ranking benchmark, without any ranker."""


def no_named_progress(what: str, done: int, total: int) -> None:
    """Shows nothing."""


@contextmanager
def benchmark_views(benchmark: Benchmark, progress: Progress = no_progress) -> Iterator[Views]:
    """Views of an archive that holds the benchmark's questions and lives as long as the context."""
    with TemporaryDirectory(prefix="askagain-") as folder, Archive.open(Path(folder) / "set.db") as archive:
        archive.put_many(_questions(benchmark))
        yield Views(archive, durable=False, progress=progress)


def _questions(benchmark: Benchmark) -> Iterator[Question]:
    """The whole set. Where only lists are known, every candidate once; their statistics weigh the terms."""
    if isinstance(benchmark, RetrievalBenchmark) or benchmark.collection:
        yield from benchmark.questions if isinstance(benchmark, RetrievalBenchmark) else benchmark.collection
        return
    seen: set[str] = set()
    for entry in benchmark.lists:
        for candidate in entry.candidates:
            if candidate.question.id not in seen:
                seen.add(candidate.question.id)
                yield candidate.question


def run_ranker(ranker: Ranker, benchmark: Benchmark, progress: Progress = no_progress) -> Run:
    """One ranker on one benchmark."""
    if isinstance(benchmark, RetrievalBenchmark):
        return run_retrieval(ranker, benchmark, progress=progress)
    return run_reranking(ranker, benchmark, progress=progress)


def reranking_of(
    benchmark: Benchmark, depth: int, progress: NamedProgress = no_named_progress
) -> RerankingBenchmark:
    """The same queries, each with its best BM25 candidates to be ordered."""
    if not isinstance(benchmark, RetrievalBenchmark):
        raise SettingsError(f"{benchmark.name} has given lists already: leave --rerank out")
    with benchmark_views(benchmark, partial(progress, "indexing")) as views:
        retriever = make_ranker(load_system("bm25").restricted_to(benchmark.fields), views)
        return candidate_lists(benchmark, retriever, depth, partial(progress, "candidates"))


def run_ordering(name: str, benchmark: Benchmark, seed: int = 0) -> Run:
    """One of the orderings that need no ranker."""
    if not isinstance(benchmark, RerankingBenchmark):
        raise SettingsError(f"{name} orders given lists: {benchmark.name} is a retrieval set, which has none")
    return ORDERINGS[name](benchmark, seed)


def run_all(
    systems: Sequence[System | str],
    benchmark: Benchmark,
    *,
    seed: int = 0,
    models: Mapping[str, Path] | None = None,
    progress: NamedProgress = no_named_progress,
) -> list[Run]:
    """Every system, over the benchmark's fields, and every ordering given by its name.

    `models` has the model folder of each trainable system.
    """
    folders = models or {}
    with benchmark_views(benchmark, partial(progress, "indexing")) as views:
        # All rankers first: what is wrong with the last recipe shows before the first one runs.
        rankers = [
            system
            if isinstance(system, str)
            else make_ranker(system.restricted_to(benchmark.fields), views, folders.get(system.name))
            for system in systems
        ]
        return [
            run_ordering(ranker, benchmark, seed)
            if isinstance(ranker, str)
            else run_ranker(ranker, benchmark, partial(progress, ranker.name))
            for ranker in rankers
        ]
