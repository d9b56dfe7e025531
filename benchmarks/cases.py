"""What the speed benchmarks measure and show: figures of several engines side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

OURS = "askagain"
SMALLER_IS_BETTER = ("s", "ms", "MB")


@dataclass
class Case:
    """One figure of every engine."""

    name: str
    unit: str
    values: dict[str, float] = field(default_factory=dict)

    def ratio(self, peers: Iterable[str]) -> float | None:
        """Ours against the best of these peers, above 1 where we are better."""
        theirs = [self.values[peer] for peer in peers if peer in self.values]
        if not theirs:
            return None
        ours = self.values[OURS]
        return min(theirs) / ours if self.unit in SMALLER_IS_BETTER else ours / max(theirs)

    def to_json(self) -> dict[str, object]:
        """As every benchmark prints it."""
        peers = {name: value for name, value in self.values.items() if name != OURS}
        return {
            "name": self.name,
            "unit": self.unit,
            "ours": self.values[OURS],
            "peers": peers,
            "ratio": self.ratio(peers),
        }


def best_seconds(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The shortest time of each run; they take turns, so that a busy machine slows all of them alike."""
    for run in runs.values():
        run()  # compilers, caches and Java's optimiser warm up
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def render(cases: Sequence[Case], groups: Sequence[Sequence[str]]) -> str:
    """A table; each group of peers has a column in which its best one is compared with us."""
    names = [OURS, *(name for group in groups for name in group)]
    widths = [max(12, len(name) + 2) for name in names]
    heads = "".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    compared = [f"vs best of {', '.join(group)}" if group[1:] else f"vs {group[0]}" for group in groups]
    lines = [f"{'':52}{heads}  {' / '.join(compared)}"]
    for case in cases:
        values = "".join(
            f"{case.values[name]:>{width},.2f}" if name in case.values else " " * width
            for name, width in zip(names, widths, strict=True)
        )
        ratios = [case.ratio(group) for group in groups]
        shown = " / ".join("–" if ratio is None else f"{ratio:.2f}" for ratio in ratios)
        lines.append(f"{case.name + ', ' + case.unit:52}{values}  {shown}")
    return "\n".join(lines)
