"""Drives systems through a benchmark: a temporary archive of its questions, one run per system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from askagain.archive import Archive
from askagain.errors import SettingsError
from askagain.evaluation.benchmarks import Benchmark, RerankingBenchmark, RetrievalBenchmark
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
from askagain.sources.base import Progress, no_progress
from askagain.systems import System, make_ranker
from askagain.views import Views

ORDERINGS = {"given": run_given, "oracle": run_oracle, "random": run_random}
"""What exists for every re-ranking benchmark, without any ranker."""

Run = RetrievalRun | RerankingRun


@contextmanager
def benchmark_views(benchmark: Benchmark) -> Iterator[Views]:
    """Views of an archive that holds the benchmark's questions and lives as long as the context."""
    with TemporaryDirectory(prefix="askagain-") as folder, Archive.open(Path(folder) / "set.db") as archive:
        archive.put_many(_questions(benchmark))
        yield Views(archive, durable=False)


def _questions(benchmark: Benchmark) -> Iterator[Question]:
    """Retrieval: the whole set. Re-ranking: every candidate once; their statistics weigh the terms."""
    if isinstance(benchmark, RetrievalBenchmark):
        yield from benchmark.questions
        return
    seen: set[str] = set()
    for entry in benchmark.lists:
        for candidate in entry.candidates:
            if candidate.question.id not in seen:
                seen.add(candidate.question.id)
                yield candidate.question


def run_system(system: System, benchmark: Benchmark, views: Views, progress: Progress = no_progress) -> Run:
    """One system on one benchmark, over the benchmark's fields."""
    ranker = make_ranker(system.restricted_to(benchmark.fields), views)
    if isinstance(benchmark, RetrievalBenchmark):
        return run_retrieval(ranker, benchmark, progress=progress)
    return run_reranking(ranker, benchmark, progress=progress)


def run_ordering(name: str, benchmark: Benchmark) -> Run:
    """One of the orderings that need no ranker."""
    if not isinstance(benchmark, RerankingBenchmark):
        raise SettingsError(f"{name} orders given lists: {benchmark.name} is a retrieval set, which has none")
    return ORDERINGS[name](benchmark)


def run_all(
    systems: Sequence[System | str], benchmark: Benchmark, progress: Progress = no_progress
) -> list[Run]:
    """Every system, and every ordering given by its name, on one benchmark."""
    with benchmark_views(benchmark) as views:
        return [
            run_ordering(system, benchmark)
            if isinstance(system, str)
            else run_system(system, benchmark, views, progress)
            for system in systems
        ]
