"""Runs a system on a benchmark: retrieval from all questions, or re-ranking of given lists."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from askagain.errors import BenchmarkError
from askagain.evaluation.benchmarks import LEI_CORPUS, RerankingBenchmark, RetrievalBenchmark
from askagain.evaluation.metrics import Judged
from askagain.question import Match, Question
from askagain.ranker import Ranker
from askagain.sources.base import Progress, no_progress
from askagain.sources.lists import CandidateList

DEPTH = 100

Scores = tuple[float, ...]
Labels = tuple[bool, ...]


@runtime_checkable
class Labeller(Protocol):
    """A ranker that decides itself which candidates of a list are duplicates."""

    def is_duplicate(
        self, question: Question, candidates: Sequence[Question], scores: Sequence[float]
    ) -> list[bool]:
        """One label per candidate, in the candidates' order; `scores` is what `score` gave for them."""


@dataclass(frozen=True)
class Ranking:
    """What a system found for one query, best first, with the ids of all that is relevant."""

    query: Question
    found: tuple[Match, ...]
    relevant: frozenset[str]
    predicted: Labels = ()

    @property
    def judged(self) -> Judged:
        """The ranking as the metrics see it."""
        hits = np.array([match.id in self.relevant for match in self.found], dtype=np.bool_)
        return Judged(hits, len(self.relevant), np.array(self.predicted, dtype=np.bool_))


@dataclass(frozen=True)
class RetrievalRun:
    """A system's matches for every query of a retrieval benchmark, in the order of its queries."""

    system: str
    benchmark: RetrievalBenchmark
    matches: tuple[tuple[Match, ...], ...]
    seconds: float

    def rankings(self) -> list[Ranking]:
        """One ranking per query."""
        return [
            Ranking(query, matches, self.benchmark.relevant[query.id])
            for query, matches in zip(self.benchmark.queries, self.matches, strict=True)
        ]


@dataclass(frozen=True)
class RerankingRun:
    """A system's scores and true/false labels for every list of a benchmark, in the file's order."""

    system: str
    benchmark: RerankingBenchmark
    scores: tuple[Scores, ...]
    labels: tuple[Labels, ...]
    seconds: float

    def rankings(self) -> list[Ranking]:
        """One ranking per list that enters the averages."""
        if not self.benchmark.labelled:
            raise BenchmarkError(
                f"{self.benchmark.name}, split {self.benchmark.split}: no labels, so nothing can be judged; "
                "write a run file and score it where the labels are"
            )
        return [
            _ranking(list_, scores, labels)
            for list_, scores, labels in zip(self.benchmark.lists, self.scores, self.labels, strict=True)
            if self.benchmark.counts(list_)
        ]


Run = RetrievalRun | RerankingRun


def run_retrieval(
    ranker: Ranker, benchmark: RetrievalBenchmark, depth: int = DEPTH, progress: Progress = no_progress
) -> RetrievalRun:
    """Searches every query; `progress` is called with (queries done, queries in all)."""
    started = time.perf_counter()
    matches: list[tuple[Match, ...]] = []
    for query in benchmark.queries:
        found = _usable(ranker.search(query, depth), query, depth)
        _check_matches(ranker.name, query, found, benchmark)
        matches.append(found)
        progress(len(matches), len(benchmark.queries))
    return RetrievalRun(ranker.name, benchmark, tuple(matches), time.perf_counter() - started)


def run_reranking(
    ranker: Ranker, benchmark: RerankingBenchmark, progress: Progress = no_progress
) -> RerankingRun:
    """Scores and labels every list; `progress` is called with (lists done, lists in all)."""
    if not any(list_.query.title or list_.query.body for list_ in benchmark.lists):
        raise BenchmarkError(
            f"{benchmark.name}: the lists have no texts to rank by; put {LEI_CORPUS} beside them"
        )

    def judge(list_: CandidateList) -> tuple[Scores, Labels]:
        candidates = [entry.question for entry in list_.candidates]
        scores = tuple(map(float, ranker.score(list_.query, candidates)))
        if isinstance(ranker, Labeller):
            return scores, tuple(map(bool, ranker.is_duplicate(list_.query, candidates, scores)))
        return scores, above_mean(scores)

    return _run_lists(ranker.name, benchmark, judge, progress)


def run_given(benchmark: RerankingBenchmark) -> RerankingRun:
    """The lists' own order; like the official files of SemEval, the score is 1 / position."""

    def judge(list_: CandidateList) -> tuple[Scores, Labels]:
        scores = tuple(1 / position for position in range(1, len(list_.candidates) + 1))
        return scores, above_mean(scores)

    return _run_lists("given", benchmark, judge)


def run_oracle(benchmark: RerankingBenchmark) -> RerankingRun:
    """Every relevant candidate first: the best that any system can reach."""
    if not benchmark.labelled:
        raise BenchmarkError(f"{benchmark.name}, split {benchmark.split}: no labels, so there is no oracle")

    def judge(list_: CandidateList) -> tuple[Scores, Labels]:
        labels = tuple(bool(entry.relevant) for entry in list_.candidates)
        return tuple(map(float, labels)), labels

    return _run_lists("oracle", benchmark, judge)


def run_random(benchmark: RerankingBenchmark, seed: int = 0) -> RerankingRun:
    """Scores drawn evenly from 0 to 1: what a system without any knowledge gets."""
    generator = random.Random(seed)

    def judge(list_: CandidateList) -> tuple[Scores, Labels]:
        scores = tuple(generator.random() for _ in list_.candidates)
        return scores, above_mean(scores)

    return _run_lists("random", benchmark, judge)


def above_mean(scores: Sequence[float]) -> Labels:
    """The label for systems without an own threshold: true if the score is above the mean of its list.

    The scale of a lexical score depends on the query, so a fixed threshold means nothing.
    In a list where all scores are equal nothing stands out, and every label is false.
    """
    if not scores or min(scores) == max(scores):
        return (False,) * len(scores)
    mean = math.fsum(scores) / len(scores)
    return tuple(score > mean for score in scores)


def best_first(scores: Sequence[float]) -> list[int]:
    """The positions by descending score; ties keep their order."""
    return sorted(range(len(scores)), key=lambda position: -scores[position])


def _run_lists(
    system: str,
    benchmark: RerankingBenchmark,
    judge: Callable[[CandidateList], tuple[Scores, Labels]],
    progress: Progress = no_progress,
) -> RerankingRun:
    started = time.perf_counter()
    scores: list[Scores] = []
    labels: list[Labels] = []
    for list_ in benchmark.lists:
        list_scores, list_labels = judge(list_)
        _check(system, list_, list_scores, list_labels)
        scores.append(list_scores)
        labels.append(list_labels)
        progress(len(scores), len(benchmark.lists))
    return RerankingRun(system, benchmark, tuple(scores), tuple(labels), time.perf_counter() - started)


def _check(system: str, list_: CandidateList, scores: Scores, labels: Labels) -> None:
    expected = len(list_.candidates)
    if len(scores) != expected or len(labels) != expected:
        raise BenchmarkError(
            f"system {system}, query {list_.query.id}: {len(scores)} scores and {len(labels)} labels "
            f"for {expected} candidates"
        )
    _check_finite(system, list_.query, scores)


def _check_matches(
    system: str, query: Question, matches: Sequence[Match], benchmark: RetrievalBenchmark
) -> None:
    for match in matches:
        if match.id not in benchmark.by_id:
            raise BenchmarkError(
                f"system {system}, query {query.id}: found {match.id!r}, which is not in the set "
                f"{benchmark.name}; index the questions of this set and no others"
            )
    _check_finite(system, query, [match.score for match in matches])


def _check_finite(system: str, query: Question, scores: Sequence[float]) -> None:
    for score in scores:
        if not math.isfinite(score):
            raise BenchmarkError(f"system {system}, query {query.id}: score {score} is not a finite number")


def _usable(matches: Sequence[Match], query: Question, depth: int) -> tuple[Match, ...]:
    """The first `depth` matches, each id once, without the query itself."""
    first_of_each: dict[str, Match] = {}
    for match in matches:
        if match.id != query.id:
            first_of_each.setdefault(match.id, match)
    return tuple(first_of_each.values())[:depth]


def _ranking(list_: CandidateList, scores: Scores, labels: Labels) -> Ranking:
    order = best_first(scores)
    return Ranking(
        list_.query,
        tuple(Match(list_.candidates[position].question.id, scores[position]) for position in order),
        frozenset(entry.question.id for entry in list_.candidates if entry.relevant),
        tuple(labels[position] for position in order),
    )
