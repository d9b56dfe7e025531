"""How quality grows with marks: judges that learned from more and more of them, measured on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from askagain.errors import TrainingError
from askagain.fusion.examples import Asked
from askagain.fusion.fitting import fit_judge
from askagain.fusion.judge import FusedJudge
from askagain.fusion.recipe import LearningSettings
from askagain.reporting.candidates import Candidates
from askagain.rerank.fit.leftout import mean_average_precision
from askagain.sources.base import Progress, no_progress

SIZES: Final = (0, 50, 500, 5000)
"""So many marks are learned from, and all that there are."""

DRAWS: Final = 3
"""So often the groups of duplicates are divided anew."""

_MEASURED_SHARE: Final = 0.25


@dataclass(frozen=True)
class Estimate:
    """The mean over some draws, and the lowest and the highest of them."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Stage:
    """What was reached with so many marks, or with `is_all` that are not kept apart to measure with.

    Questions are drawn, each with its marks: there may be a few fewer of these.

    `map` is over what the search returns. Precision counts what nobody marked as wrong; recall counts
    duplicates that are not found as missed. Without a suggestion there is no precision.
    """

    marks: int
    is_all: bool
    map: Estimate
    precision: Estimate | None
    recall: Estimate


@dataclass(frozen=True)
class _Measured:
    """The figures of one draw."""

    map: float
    precision: float | None
    recall: float


@dataclass(frozen=True)
class _Draw:
    """Lists to measure with, lists to learn from, and how many marks the latter have up to each."""

    measured: list[int]
    learned: list[int]
    marks: list[int]

    @property
    def most(self) -> int:
        """All marks to learn from."""
        return self.marks[-1] if self.marks else 0

    def lists_with(self, marks: int) -> list[int]:
        """As many lists as have at most so many marks together."""
        return self.learned[: int(np.searchsorted(self.marks, marks, side="right"))]


def growth_of(
    candidates: Candidates,
    names: tuple[str, ...],
    settings: LearningSettings,
    default: FusedJudge | None,
    seed: int,
    progress: Progress = no_progress,
) -> list[Stage]:
    """One stage for each size that can be measured; 0 is what was learned elsewhere, if anything was.

    The lists that are measured and those that are learned from are about different duplicates.
    """
    draws = [_drawn(candidates.asked, seed + number) for number in range(DRAWS)]
    most = min(draw.most for draw in draws)
    sizes = [size for size in SIZES if size < most] + [None] * (most > 0)
    stages: list[Stage | None] = []
    for number, size in enumerate(sizes, start=1):
        figures = [
            _measured(candidates, draw, draw.most if size is None else size, names, settings, default, seed)
            for draw in draws
        ]
        stages.append(
            _stage(most if size is None else size, size is None, [each for each in figures if each])
        )
        progress(number, len(sizes))
    return [stage for stage in stages if stage]


def _drawn(asked: Sequence[Asked], seed: int) -> _Draw:
    groups = np.array([each.group for each in asked], dtype=np.int64)
    shuffled = np.random.default_rng(seed).permutation(np.unique(groups))
    place_of = {group: place for place, group in enumerate(shuffled.tolist())}
    order = np.argsort([place_of[group] for group in groups.tolist()], kind="stable")
    measured = np.isin(groups[order], shuffled[: round(len(shuffled) * _MEASURED_SHARE)])
    learned = order[~measured].tolist()
    return _Draw(order[measured].tolist(), learned, _marks_up_to([asked[number] for number in learned]))


def _marks_up_to(asked: Sequence[Asked]) -> list[int]:
    """How many different pairs each question and those before it are marked in."""
    pairs: set[frozenset[str]] = set()
    counts = []
    for each in asked:
        pairs.update(frozenset((each.question.id, id_)) for id_ in each.duplicates | each.rejected)
        counts.append(len(pairs))
    return counts


def _measured(
    candidates: Candidates,
    draw: _Draw,
    marks: int,
    names: tuple[str, ...],
    settings: LearningSettings,
    default: FusedJudge | None,
    seed: int,
) -> _Measured | None:
    """None where so few marks teach nothing and nothing was learned elsewhere, or nothing is to be found."""
    examples = candidates.examples.chosen(candidates.judged)
    measured = examples.of(draw.measured)
    if not measured.labels.any():
        return None
    try:
        judge = fit_judge(examples.of(draw.lists_with(marks)), names, settings, default, seed).judge
    except TrainingError:
        return None
    scores = judge.scores(measured.features)
    suggested = judge.probabilities(scores) >= judge.calibration.suggests_from
    right, shown = int((suggested & measured.labels).sum()), int(suggested.sum())
    wanted = sum(len(candidates.asked[number].duplicates) for number in draw.measured)
    return _Measured(
        mean_average_precision(scores, measured),
        right / shown if shown else None,
        right / wanted,
    )


def _stage(marks: int, is_all: bool, figures: Sequence[_Measured]) -> Stage | None:
    if not figures:
        return None
    precisions = [each.precision for each in figures if each.precision is not None]
    return Stage(
        marks,
        is_all,
        _estimate([each.map for each in figures]),
        _estimate(precisions) if precisions else None,
        _estimate([each.recall for each in figures]),
    )


def _estimate(values: Sequence[float]) -> Estimate:
    return Estimate(float(np.mean(values)), min(values), max(values))
