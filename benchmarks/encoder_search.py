"""How fast vectors are searched: approximately, beside exact search by us and by faiss, in a million."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from askagain.encoders.folder import load_model
from askagain.encoders.model import Model
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.vectors import QuestionVectors
from askagain.neighbours.exact import Hits
from askagain.neighbours.rows import Rows, selected
from askagain.neighbours.search import NeighbourSearch
from askagain.question import Question
from askagain.systems import load_system
from askagain.training.data import TrainingData
from askagain.training.train import train
from cases import OURS, Case, best_seconds
from resample import resample

EXACT, FLAT = "our exact", "faiss flat"
SEARCH_PEERS = [[EXACT, FLAT]]
TOP = 10
# Queries of a round: exact search is too slow for as many as approximate search needs for a fair time.
QUERIES = {OURS: 500, EXACT: 256, FLAT: 256}
SINGLE_QUERIES = {OURS: 100, EXACT: 5, FLAT: 5}
ENCODED_AT_ONCE = 16_384
SAME_SCORE = 1e-6

Search = Callable[[QuestionVectors], object]


def search_cases(
    data: TrainingData, questions: int, rounds: int, seed: int, system: str = "rcnn"
) -> list[Case]:
    """Queries per second among vectors of resampled titles, and how many of the true neighbours are found."""
    model = quickly_trained(system, data, seed)
    rows = encoded(model, resample(data.questions, questions, seed))
    chance = np.random.default_rng(seed)
    asked = [data.questions[row] for row in chance.permutation(len(data.questions))[: QUERIES[OURS]]]
    queries = model.as_queries(model.encode(asked))

    approximate = NeighbourSearch(rows, None, model.columns, "approximate", exact_up_to=0)
    exact = NeighbourSearch(rows, None, model.columns, "exact", exact_up_to=0)
    start = time.perf_counter()
    approximate.get_ready()
    built = time.perf_counter() - start
    engines: dict[str, Search] = {
        OURS: lambda some: approximate.search(some, TOP),
        EXACT: lambda some: exact.search(some, TOP),
        FLAT: partial(search_flat, flat_index(rows)),
    }
    name = f"{questions:,} titles × {rows.dimension}"
    return [
        Case(f"{name}: batch", "queries/s", best_rates(engines, queries, QUERIES, rounds)),
        Case(
            f"{name}: one by one", "queries/s", best_rates(singly(engines), queries, SINGLE_QUERIES, rounds)
        ),
        Case(f"{name}: recall@{TOP}", "share", {OURS: recall(approximate, exact, queries)}),
        Case(f"{name}: building", "s", {OURS: built}),
    ]


def quickly_trained(name: str, data: TrainingData, seed: int) -> Model:
    """A model of titles after one epoch: its vectors lie as those of a trained one, and not at random."""
    system = load_system(name)
    assert isinstance(system, EncoderSystem)
    short = system.restricted_to(("title",)).with_parameters({"training.epochs": 1})
    with TemporaryDirectory() as folder:
        return load_model(train(short, replace(data, dev=None), Path(folder, "model"), seed=seed))


def encoded(model: Model, questions: Iterator[Question]) -> Rows:
    """Batch by batch, so that no text is kept."""
    rows, first = Rows(model.dimension), 0
    while some := list(islice(questions, ENCODED_AT_ONCE)):
        rows.append(range(first, first + len(some)), model.encode(some))
        first += len(some)
    return rows


def flat_index(rows: Rows) -> Any:
    """All dense vectors in faiss' exact index."""
    index = faiss.IndexFlatIP(rows.dimension)
    for chunk in rows.chunks.values():
        index.add(chunk.vectors.dense)
    return index


def search_flat(index: Any, queries: QuestionVectors) -> None:
    index.search(queries.dense, TOP)


def singly(engines: dict[str, Search]) -> dict[str, Search]:
    return {name: partial(one_by_one, search) for name, search in engines.items()}


def one_by_one(search: Search, queries: QuestionVectors) -> None:
    for number in range(len(queries)):
        search(queries.row(number))


def best_rates(
    engines: dict[str, Search], queries: QuestionVectors, counts: dict[str, int], rounds: int
) -> dict[str, float]:
    """Queries per second of each engine's best round."""
    some = {name: selected(queries, np.arange(min(counts[name], len(queries)))) for name in engines}
    seconds = best_seconds({name: partial(run, some[name]) for name, run in engines.items()}, rounds)
    return {name: len(some[name]) / best for name, best in seconds.items()}


def recall(approximate: NeighbourSearch, exact: NeighbourSearch, queries: QuestionVectors) -> float:
    """The share of the true best that is found; of several with the same score, each is as good."""
    found, true = approximate.search(queries, TOP), exact.search(queries, TOP)
    return float(np.mean([right_ones(*pair) / len(pair[1].scores) for pair in zip(found, true, strict=True)]))


def right_ones(found: Hits, true: Hits) -> int:
    worst: NDArray[np.float64] = true.scores[-1] - SAME_SCORE
    return int(np.count_nonzero(found.scores >= worst))
