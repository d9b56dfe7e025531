"""How sure a figure is: bootstrap intervals, and paired randomisation tests between two systems."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from askagain.evaluation.metrics import FloatArray, Metric, Rows

RESAMPLES = 1_000
PERMUTATIONS = 10_000
CONFIDENCE = 0.95
SIGNIFICANT = 0.05

# Differences that are equal on paper differ in the last bits when summed in another order.
_ROUNDING = 1e-12
# Random draws held in memory at once: 16 MB as float64.
_DRAWS_AT_ONCE = 2_000_000

Interval = tuple[float, float]
Pair = tuple[str, str]


def bootstrap_intervals(
    metrics: Sequence[Metric], rows: Rows, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval]:
    """The 95% percentile interval of every metric over resampled queries (Efron, 1979)."""
    rng = np.random.default_rng(seed)
    queries = _queries(rows)
    figures: dict[str, list[FloatArray]] = {metric.name: [] for metric in metrics}
    for size in _chunks(resamples, queries):
        weights = _resampled(rng, size, queries)
        for metric in metrics:
            figures[metric.name].append(metric.combine(weights @ rows[metric.name]))
    return {name: _percentile_interval(np.concatenate(parts)) for name, parts in figures.items()}


def randomisation_p_values(
    metrics: Sequence[Metric], systems: Mapping[str, Rows], *, permutations: int = PERMUTATIONS, seed: int = 0
) -> dict[str, dict[Pair, float]]:
    """For every metric, the two-sided p-value of the difference between each pair of systems.

    Each permutation swaps the two systems' results on a random half of the queries, which for a mean is
    the sign-flip test (Fisher). p = (1 + differences at least as large as the real one) / (1 + permutations).
    """
    rng = np.random.default_rng(seed)
    pairs = list(itertools.combinations(systems, 2))
    as_large = {metric.name: dict.fromkeys(pairs, 0) for metric in metrics}
    queries = _queries(next(iter(systems.values())))
    for size in _chunks(permutations, queries):
        swaps = rng.integers(0, 2, size=(size, queries), dtype=np.int8).astype(np.float64)
        for metric in metrics:
            sums = _sums({name: rows[metric.name] for name, rows in systems.items()}, swaps)
            for first, second in pairs:
                as_large[metric.name][first, second] += _count_as_large(metric, sums[first], sums[second])
    return {
        name: {pair: (1 + count) / (1 + permutations) for pair, count in counts.items()}
        for name, counts in as_large.items()
    }


def holm(p_values: Mapping[Pair, float]) -> dict[Pair, float]:
    """The p-values of one family of comparisons, corrected for their number (Holm, 1979)."""
    corrected: dict[Pair, float] = {}
    largest = 0.0
    for done, pair in enumerate(sorted(p_values, key=lambda pair: p_values[pair])):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[pair]))
        corrected[pair] = largest
    return corrected


@dataclass(frozen=True, slots=True)
class _Sums:
    """A system's summed rows: over all queries, and over those that each permutation swaps."""

    all: FloatArray
    swapped: FloatArray


def _sums(systems: Mapping[str, FloatArray], swaps: FloatArray) -> dict[str, _Sums]:
    stacked = np.stack(list(systems.values()), axis=1)
    swapped = np.tensordot(swaps, stacked, axes=1)
    totals = stacked.sum(axis=0)
    return {name: _Sums(totals[i], swapped[:, i]) for i, name in enumerate(systems)}


def _count_as_large(metric: Metric, first: _Sums, second: _Sums) -> int:
    """The permutations whose difference between the two systems is at least as large as the real one."""
    moved = second.swapped - first.swapped
    real = abs(metric.combine(first.all) - metric.combine(second.all))
    permuted = np.abs(metric.combine(first.all + moved) - metric.combine(second.all - moved))
    return int(np.sum(permuted >= real - _ROUNDING))


def _resampled(rng: np.random.Generator, size: int, queries: int) -> FloatArray:
    """How often each query was drawn in each resample: size × queries."""
    draws = rng.integers(queries, size=(size, queries)) + queries * np.arange(size)[:, np.newaxis]
    counts = np.bincount(draws.ravel(), minlength=size * queries)
    return counts.reshape(size, queries).astype(np.float64)


def _percentile_interval(figures: FloatArray) -> Interval:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(figures, [tail, 1 - tail])
    return float(low), float(high)


def _queries(rows: Rows) -> int:
    return len(next(iter(rows.values())))


def _chunks(total: int, queries: int) -> Iterator[int]:
    """Sizes that add up to `total`, each small enough for memory."""
    size = max(1, _DRAWS_AT_ONCE // queries)
    for start in range(0, total, size):
        yield min(size, total - start)
