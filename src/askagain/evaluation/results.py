"""Results: the figures of one or more systems on a benchmark, with intervals and tests between them."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from askagain.errors import BenchmarkError
from askagain.evaluation import rendering
from askagain.evaluation.benchmarks import Benchmark, Fields
from askagain.evaluation.metrics import Metric, Rows, all_rows
from askagain.evaluation.protocols import Run
from askagain.evaluation.significance import (
    PERMUTATIONS,
    RESAMPLES,
    SIGNIFICANT,
    Interval,
    bootstrap_intervals,
    holm,
    randomisation_p_values,
)

# Bounds, not systems: a test against them says nothing and costs the other tests power.
UNTESTED = frozenset({"oracle", "random"})
NO_LABELS = "no labels"


@dataclass(frozen=True)
class SystemResult:
    """A system's figures in percent, with their 95% intervals; both are empty where there are no labels.

    A system that ran several times, with other seeds, counts with the mean of its `runs` for each query.
    """

    name: str
    values: dict[str, float]
    intervals: dict[str, Interval]
    seconds: float
    runs: int = 1

    def to_json(self) -> dict[str, object]:
        """The system's entry in the report's JSON."""
        intervals = {metric: list(interval) for metric, interval in self.intervals.items()}
        seeds = {"seeds": self.runs} if self.runs > 1 else {}
        return {**self.values, "ci95": intervals, "seconds": self.seconds, **seeds}


@dataclass(frozen=True)
class PairedTest:
    """One metric's comparison of two systems; `p_holm` is corrected for all pairs of the table."""

    metric: str
    first: str
    second: str
    difference: float
    p: float
    p_holm: float

    @property
    def winner(self) -> str | None:
        """The system that is significantly better, if one is."""
        if self.p_holm >= SIGNIFICANT or self.difference == 0:
            return None
        return self.first if self.difference > 0 else self.second


@dataclass(frozen=True)
class EvaluationReport:
    """The figures of some systems on one split of a set."""

    set: str
    split: str
    fields: Fields
    queries: int
    data_hash: str
    seed: int
    metrics: tuple[str, ...]
    systems: tuple[SystemResult, ...]
    tests: tuple[PairedTest, ...]

    def letter(self, system: str) -> str:
        """The letter that stands for a system in the printed tables."""
        return string.ascii_letters[[result.name for result in self.systems].index(system)]

    def beaten(self, system: str, metric: str) -> str:
        """The letters of the systems that this one beats significantly."""
        losers = {
            test.second if test.winner == test.first else test.first
            for test in self.tests
            if test.metric == metric and test.winner == system
        }
        return "".join(self.letter(result.name) for result in self.systems if result.name in losers)

    def to_json(self) -> dict[str, object]:
        """One object of plain values, ready for `json.dumps`."""
        report: dict[str, object] = {
            "set": self.set,
            "split": self.split,
            "fields": list(self.fields),
            "queries": self.queries,
            "systems": {result.name: result.to_json() for result in self.systems},
            "significance": [
                {
                    "metric": test.metric,
                    "systems": [test.first, test.second],
                    "difference": test.difference,
                    "p": test.p,
                    "p_holm": test.p_holm,
                }
                for test in self.tests
            ],
        }
        return report if self.metrics else {**report, "note": NO_LABELS}

    def to_table(self) -> str:
        """A plain-text table for the terminal."""
        return rendering.plain_table(self._table())

    def to_markdown(self) -> str:
        """A Markdown table."""
        return rendering.markdown_table(self._table())

    def to_latex(self) -> str:
        """A LaTeX `tabular`."""
        return rendering.latex_table(self._table())

    def _table(self) -> rendering.Table:
        title = f"{self.set}, split {self.split}, {'+'.join(self.fields)}, {self.queries} queries"
        rows = [
            rendering.Row(self.letter(result.name), result.name, self._cells(result), result.seconds)
            for result in self.systems
        ]
        return rendering.Table(title, self.metrics, tuple(rows), tuple(self._notes()))

    def _cells(self, result: SystemResult) -> tuple[rendering.Cell, ...]:
        return tuple(
            rendering.Cell(result.values[metric], *result.intervals[metric], self.beaten(result.name, metric))
            for metric in self.metrics
        )

    def _notes(self) -> Iterator[str]:
        if not self.metrics:
            yield f"{NO_LABELS}: this split can be run but not judged here."
        else:
            yield "In percent, with 95% bootstrap intervals."
        if self.tests:
            yield (
                f"Letters: systems that are beaten significantly (paired randomisation test, "
                f"p < {SIGNIFICANT} after Holm's correction for all pairs of a column)."
            )
        for runs in sorted({result.runs for result in self.systems if result.runs > 1}):
            names = ", ".join(result.name for result in self.systems if result.runs == runs)
            yield f"Each query's mean over {runs} seeds: {names}."
        yield f"Data {self.data_hash[:12]}, seed {self.seed}."


def report(
    runs: Sequence[Run], *, resamples: int = RESAMPLES, permutations: int = PERMUTATIONS, seed: int = 0
) -> EvaluationReport:
    """Judges the runs of some systems on the same benchmark; runs of one system are those of its seeds."""
    benchmark = _common_benchmark(runs)
    metrics = benchmark.metrics if benchmark.labelled else ()
    by_system: dict[str, list[Run]] = {}
    for run in runs:
        by_system.setdefault(run.system, []).append(run)
    rows = {name: _mean_rows([_rows(metrics, run) for run in some]) for name, some in by_system.items()}
    return EvaluationReport(
        set=benchmark.name,
        split=benchmark.split,
        fields=benchmark.fields,
        queries=len(benchmark.queries),
        data_hash=benchmark.data_hash,
        seed=seed,
        metrics=tuple(metric.name for metric in metrics),
        systems=tuple(
            _system_result(some, metrics, rows[name], resamples, seed) for name, some in by_system.items()
        ),
        tests=tuple(_paired_tests(metrics, rows, permutations, seed)),
    )


def _common_benchmark(runs: Sequence[Run]) -> Benchmark:
    if not runs:
        raise BenchmarkError("no runs to report; name at least one system")
    names = list(dict.fromkeys(run.system for run in runs))
    if len(names) > len(string.ascii_letters):
        raise BenchmarkError(
            f"{len(names)} systems in one table; at most {len(string.ascii_letters)} have a letter"
        )
    if len({run.benchmark.data_hash for run in runs}) > 1:
        raise BenchmarkError(
            f"systems {', '.join(names)}: they ran on different benchmarks; run all on the same"
        )
    return runs[0].benchmark


def _rows(metrics: Sequence[Metric], run: Run) -> Rows:
    return all_rows(metrics, [ranking.judged for ranking in run.rankings()]) if metrics else {}


def _mean_rows(runs: Sequence[Rows]) -> Rows:
    """What each query contributes, on average over the runs."""
    return {name: np.mean([rows[name] for rows in runs], axis=0) for name in runs[0]}


def _system_result(
    runs: Sequence[Run], metrics: Sequence[Metric], rows: Rows, resamples: int, seed: int
) -> SystemResult:
    name, seconds = runs[0].system, sum(run.seconds for run in runs) / len(runs)
    if not metrics:
        return SystemResult(name, {}, {}, seconds, len(runs))
    intervals = bootstrap_intervals(metrics, rows, resamples=resamples, seed=seed)
    return SystemResult(
        name,
        {metric.name: 100 * metric.value(rows[metric.name]) for metric in metrics},
        {metric: (100 * low, 100 * high) for metric, (low, high) in intervals.items()},
        seconds,
        len(runs),
    )


def _paired_tests(
    metrics: Sequence[Metric], rows: dict[str, Rows], permutations: int, seed: int
) -> Iterator[PairedTest]:
    """Every pair of systems on every metric; the family of Holm's correction is one metric's column."""
    tested = {name: rows[name] for name in rows if name not in UNTESTED}
    if not metrics or len(tested) < 2:
        return
    p_values = randomisation_p_values(metrics, tested, permutations=permutations, seed=seed)
    for metric in metrics:
        values = {name: metric.value(rows[name][metric.name]) for name in tested}
        corrected = holm(p_values[metric.name])
        for pair, p in p_values[metric.name].items():
            difference = 100 * (values[pair[0]] - values[pair[1]])
            yield PairedTest(metric.name, *pair, difference, p, corrected[pair])
