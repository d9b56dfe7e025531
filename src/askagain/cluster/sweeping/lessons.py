"""What a set offers to a sweep: train marks to learn from, and dev queries to measure with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from askagain.encoders.recipe import EncoderSystem
from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import (
    Benchmark,
    Fields,
    RerankingBenchmark,
    RetrievalBenchmark,
    available_splits,
    load,
)
from askagain.rerank.data import PairData, from_marks
from askagain.rerank.recipe import PairSystem
from askagain.systems import System
from askagain.training.data import TrainingData
from askagain.training.sets import from_set

_TRAIN, _DEV = "train", "dev"
# All trials are measured with the same queries, whatever their own seeds are.
_DIVIDED_WITH = 0


@dataclass(frozen=True)
class Lessons:
    """`encoder` or `judge` is there for what learns; lexical features of a judge count words in `train`."""

    dev: Benchmark
    encoder: TrainingData | None = None
    judge: PairData | None = None
    train: Benchmark | None = None

    @property
    def hash(self) -> str:
        """Differs where something else is learned from or measured with."""
        learned = self.encoder or self.judge
        return f"{self.dev.data_hash}{learned.hash if learned else ''}"


def lessons_for(system: System, folder: Path, fields: Fields) -> Lessons:
    """What a system needs of a set; nothing is read of a test split."""
    splits = available_splits(folder)
    if _DEV not in splits and _TRAIN not in splits:
        raise BenchmarkError(
            f"{folder} has neither a dev split to choose settings by nor train marks to take some from: its "
            f"splits are {', '.join(splits)}"
        )
    learns = isinstance(system, EncoderSystem | PairSystem)
    data = from_set(folder, fields, _DIVIDED_WITH) if learns or _DEV not in splits else None
    dev = load(folder, _DEV, fields) if _DEV in splits else _kept_apart(data, fields)
    if isinstance(system, PairSystem):
        train = load(folder, _TRAIN, fields)
        return Lessons(dev, judge=_pairs(train, data), train=train)
    return Lessons(dev, encoder=data if isinstance(system, EncoderSystem) else None)


def _kept_apart(data: TrainingData | None, fields: Fields) -> RetrievalBenchmark:
    """The tenth of the train groups that training does not learn from."""
    if data is None or data.dev is None:
        raise BenchmarkError("the set has no dev split, and too few train marks to take some away")
    ids = [question.id for question in data.questions]
    relevant = {
        ids[query]: frozenset(ids[row] for row in found)
        for query, found in zip(data.dev.queries.tolist(), data.dev.relevant, strict=True)
    }
    return RetrievalBenchmark(data.source, _DEV, fields, data.questions, relevant)


def _pairs(train: Benchmark, data: TrainingData | None) -> PairData:
    if isinstance(train, RerankingBenchmark):
        return PairData(train.lists, source=f"{train.name}, train")
    assert data is not None
    return from_marks(data)
