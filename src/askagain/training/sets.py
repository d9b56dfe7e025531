"""What question sets offer to learn from: the marks of their train split, and all of their text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import (
    UNDIVIDED,
    Benchmark,
    Fields,
    RetrievalBenchmark,
    available_splits,
    load,
)
from askagain.question import Question
from askagain.training.data import Pair, TrainingData, assembled, divided

_TRAIN, _DEV = "train", "dev"


def from_set(folder: Path, fields: Fields, seed: int) -> TrainingData:
    """The train and dev marks of a set; without a dev split a tenth of the train groups serves as one.

    A set that is not divided has no marks to learn from: its text alone is used.
    """
    splits = available_splits(folder)
    if _TRAIN not in splits and UNDIVIDED not in splits:
        raise BenchmarkError(
            f"{folder} has no train split to learn from: name a trained model with --model DIR"
        )
    if UNDIVIDED in splits:
        return assembled(_questions([load(folder, UNDIVIDED, fields)]), [], [], source=folder.resolve().name)
    train = load(folder, _TRAIN, fields)
    if _DEV in splits:
        dev = load(folder, _DEV, fields)
        pairs, dev_pairs = _pairs(train), _pairs(dev)
        return assembled(_questions([train, dev]), pairs, dev_pairs, source=folder.resolve().name)
    pairs, dev_pairs = divided(_pairs(train), seed)
    return assembled(_questions([train]), pairs, dev_pairs, source=folder.resolve().name)


def _questions(benchmarks: Iterable[Benchmark]) -> list[Question]:
    """Every question once."""
    found: dict[str, Question] = {}
    for benchmark in benchmarks:
        if isinstance(benchmark, RetrievalBenchmark):
            every: Iterable[Question] = benchmark.questions
        else:
            every = [*(list_.query for list_ in benchmark.lists), *benchmark.by_id.values()]
        for question in every:
            found.setdefault(question.id, question)
    return list(found.values())


def _pairs(benchmark: Benchmark) -> list[Pair]:
    """Every marked pair once."""
    if isinstance(benchmark, RetrievalBenchmark):
        pairs = {
            (min(first, second), max(first, second))
            for first, others in benchmark.relevant.items()
            for second in others
        }
        return sorted(pairs)
    return sorted(
        {
            (list_.query.id, entry.question.id)
            for list_ in benchmark.lists
            for entry in list_.candidates
            if entry.relevant and entry.question.id != list_.query.id
        }
    )
