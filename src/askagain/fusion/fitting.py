"""From examples to a judge with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

from askagain.calibration.calibration import default_calibration
from askagain.calibration.fitting import fit_calibration
from askagain.errors import TrainingError
from askagain.fusion.judge import FusedJudge
from askagain.fusion.recipe import LearningSettings, Method
from askagain.rerank.fit.boosting import can_grow_trees, fit_trees
from askagain.rerank.fit.choosing import Choice, Standing, better_by_cross_validation
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Learn, Score, folds_of
from askagain.rerank.fit.logistic import fit_logistic
from askagain.rerank.judges.base import Learned
from askagain.rerank.linear import linear_scores
from askagain.rerank.trees.trees import Trees

FEWEST_DUPLICATES: Final = 20
"""With fewer, what was learned elsewhere is used as it is."""

_MANY: Final = 200
"""From so many duplicates on trees are tried, and what was learned from them is trusted sooner."""

_LEAD: Final = 1.0
_LEAD_OF_FEW: Final = 2.0
_DEFAULT: Final = "as shipped"

Way = tuple[Method, "partial[Learned]"]
"""A method, and how it learns from examples."""


class Fitted(NamedTuple):
    """A judge, and how it was chosen; None if nothing was learned."""

    judge: FusedJudge
    choice: Choice | None


def fit_judge(
    examples: Examples,
    names: tuple[str, ...],
    settings: LearningSettings,
    default: FusedJudge | None,
    seed: int,
) -> Fitted:
    """The method that orders lists best that were left out, calibrated by its scores of those lists.

    `default` was learned elsewhere: it is kept where there are too few marks, and where nothing is better by
    more than chance.
    """
    if default is not None and default.names != names:
        default = None
    duplicates = examples.duplicates
    if duplicates < FEWEST_DUPLICATES or not _is_learnable(examples, settings.folds, seed):
        return Fitted(_as_default(default, settings, duplicates), None)
    ways = _ways(settings, default, seed, duplicates)
    standing = None if default is None else Standing(_DEFAULT, _LEAD if duplicates >= _MANY else _LEAD_OF_FEW)
    choice = better_by_cross_validation(_learners(ways, default), examples, settings.folds, seed, standing)
    calibration = fit_calibration(
        choice.scores[choice.name],
        examples.labels,
        default=default.calibration if default else default_calibration(1.0, 0.0),
        precision=settings.precision,
        repeated=examples.repeated,
    )
    if default is not None and choice.name == _DEFAULT:
        return Fitted(FusedJudge(default.method, names, default.arrays, calibration), choice)
    method, learn = ways[choice.name]
    return Fitted(FusedJudge(method, names, learn(examples).arrays, calibration), choice)


def _is_learnable(examples: Examples, folds: int, seed: int) -> bool:
    """Whether duplicates and others are left to learn from, whichever lists are left out."""
    rest = (examples.labels[~left_out] for left_out in folds_of(examples, folds, seed))
    return all(labels.any() and not labels.all() for labels in rest)


def _as_default(default: FusedJudge | None, settings: LearningSettings, duplicates: int) -> FusedJudge:
    if default is None:
        raise TrainingError(
            f"{duplicates} marked duplicates are found by a search, and this system needs at least "
            f"{FEWEST_DUPLICATES}, not all of one question: mark more, or take the system best, which has "
            "learned elsewhere"
        )
    return default.as_default(settings.precision)


def _ways(
    settings: LearningSettings, default: FusedJudge | None, seed: int, duplicates: int
) -> dict[str, Way]:
    """All ways to learn from examples, by their names."""
    ways: dict[str, Way] = {}
    if "logistic" in settings.methods:
        prior = Learned(default.arrays) if default is not None and default.method == "logistic" else None
        ways["logistic"] = "logistic", partial(fit_logistic, settings=settings.logistic, prior=prior)
    if "trees" in settings.methods and (not ways or (duplicates >= _MANY and can_grow_trees())):
        ways["trees"] = "trees", partial(fit_trees, settings=settings.trees, seed=seed)
    return ways


def _learners(ways: Mapping[str, Way], default: FusedJudge | None) -> dict[str, Learn]:
    learners: dict[str, Learn] = {
        name: partial(_learned_scores, method, learn) for name, (method, learn) in ways.items()
    }
    return learners if default is None else {_DEFAULT: lambda examples: default.scores, **learners}


def _learned_scores(method: Method, learn: partial[Learned], examples: Examples) -> Score:
    arrays = learn(examples).arrays
    if method == "trees":
        return Trees(arrays, examples.features.shape[1]).score
    return partial(linear_scores, arrays)
