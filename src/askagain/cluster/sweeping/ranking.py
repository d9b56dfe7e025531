"""The settings of a sweep by their mean over the seeds, best first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, Final

from askagain.cluster.sweeping.grid import Settings

# What settings are chosen by: the first of these that a set's protocol has.
_CHOSEN_BY: Final = ("mrr@10", "map")


@dataclass(frozen=True)
class Tried:
    """Some settings: the mean of each figure over the seeds, and the standard deviation as its spread."""

    settings: Settings
    seeds: tuple[int, ...]
    means: Mapping[str, float]
    spreads: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "settings": self.settings,
            "seeds": list(self.seeds),
            "mean": dict(self.means),
            "spread": dict(self.spreads),
        }


def chosen_by(metrics: Iterable[str]) -> str:
    """The figure that decides."""
    known = list(metrics)
    return next(metric for metric in _CHOSEN_BY if metric in known)


def ranked(results: Iterable[Mapping[str, Any]]) -> list[Tried]:
    """Best first; among equals, in the order of the grid."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for result in results:
        groups.setdefault(json.dumps(result["settings"]), []).append(result)
    tried = [_tried(sorted(group, key=lambda result: result["seed"])) for group in groups.values()]
    return sorted(tried, key=lambda each: -each.means[chosen_by(each.means)])


def _tried(group: list[Mapping[str, Any]]) -> Tried:
    figures = {metric: [result["metrics"][metric] for result in group] for metric in group[0]["metrics"]}
    return Tried(
        group[0]["settings"],
        tuple(result["seed"] for result in group),
        {metric: mean(values) for metric, values in figures.items()},
        {metric: stdev(values) if len(values) > 1 else 0.0 for metric, values in figures.items()},
    )
