"""Cross-validation over queries: every list is judged by a model that has learned from other lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from askagain.errors import SettingsError
from askagain.evaluating import benchmark_views
from askagain.evaluation.benchmarks import RerankingBenchmark
from askagain.evaluation.protocols import Labels, RerankingRun, Scores, run_reranking
from askagain.models import judging_ranker
from askagain.rerank.data import PairData
from askagain.rerank.learning import NamedProgress, OnEpoch, learn
from askagain.rerank.recipe import PairSystem
from askagain.views import Views


def cross_validated(
    system: PairSystem,
    benchmark: RerankingBenchmark,
    folds: int,
    *,
    seed: int,
    on_epoch: OnEpoch,
    progress: NamedProgress,
) -> RerankingRun:
    """The run of a system that learns as many times as there are folds, each time from all other lists.

    The seed also says which list is in which fold, so that systems are compared on the same ones.
    """
    if folds > len(benchmark.lists):
        raise SettingsError(f"{len(benchmark.lists)} lists cannot be divided into {folds} folds")
    scores: dict[int, Scores] = {}
    labels: dict[int, Labels] = {}
    seconds = 0.0
    with benchmark_views(benchmark, partial(progress, "indexing")) as views:
        for number, held_out in enumerate(_divided(len(benchmark.lists), folds, seed), start=1):
            shown = partial(_within, progress, f"fold {number} of {folds}")
            run = _judged_by_others(system, benchmark, held_out, views, seed, on_epoch, shown)
            scores |= dict(zip(held_out, run.scores, strict=True))
            labels |= dict(zip(held_out, run.labels, strict=True))
            seconds += run.seconds
    places = range(len(benchmark.lists))
    return RerankingRun(
        system.name, benchmark, tuple(scores[i] for i in places), tuple(labels[i] for i in places), seconds
    )


def _divided(lists: int, folds: int, seed: int) -> Iterator[list[int]]:
    """The places of all lists, each in one of folds of about the same size."""
    order = np.random.default_rng(seed).permutation(lists)
    for fold in range(folds):
        yield sorted(order[fold::folds].tolist())


def _judged_by_others(
    system: PairSystem,
    benchmark: RerankingBenchmark,
    held_out: list[int],
    views: Views,
    seed: int,
    on_epoch: OnEpoch,
    progress: NamedProgress,
) -> RerankingRun:
    out = set(held_out)
    others = tuple(list_ for place, list_ in enumerate(benchmark.lists) if place not in out)
    data = PairData(others, source=f"{benchmark.name}, {benchmark.split}")
    with TemporaryDirectory(prefix="askagain-") as temporary:
        folder = Path(temporary) / system.name
        learn(system, data, views, folder, seed=seed, on_epoch=on_epoch, progress=progress)
        ranker = judging_ranker(system, views, folder)
        return run_reranking(
            ranker, replace(benchmark, lists=tuple(benchmark.lists[place] for place in held_out))
        )


def _within(progress: NamedProgress, fold: str, what: str, done: int, total: int) -> None:
    progress(f"{fold}: {what}", done, total)
