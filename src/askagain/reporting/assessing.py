"""What a system would have done with each marked pair, had it not learned from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from askagain.calibration.calibration import Calibration, default_calibration
from askagain.calibration.fitting import fit_calibration
from askagain.evaluation.metrics import FloatArray
from askagain.fusion.fitting import Fitted, fit_judge
from askagain.fusion.judge import FusedJudge
from askagain.fusion.recipe import LearningSettings
from askagain.question import Mark, Verdict
from askagain.reporting.candidates import Candidates
from askagain.rerank.fit.examples import Examples
from askagain.rerank.fit.leftout import Score, scores_left_out
from askagain.rerank.matrix import Matrix


@dataclass(frozen=True)
class Assessed:
    """Of each candidate its probability, its rank in its list from 1 on, and whether it would be suggested.

    `fitted` has learned from all marks; it is what would be used from now on.
    """

    candidates: Candidates
    fitted: Fitted
    probabilities: FloatArray
    ranks: NDArray[np.int64]
    suggested: NDArray[np.bool_]


@dataclass(frozen=True)
class Outcome:
    """What becomes of a marked pair when its later question is asked; without a rank it is not found."""

    mark: Mark
    probability: float | None = None
    rank: int | None = None
    suggested: bool = False

    @property
    def is_duplicate(self) -> bool:
        """Whether people have marked the pair as one of duplicates, or rejected it."""
        return self.mark.verdict is Verdict.DUPLICATE


def assess(
    candidates: Candidates,
    names: tuple[str, ...],
    settings: LearningSettings,
    default: FusedJudge | None,
    seed: int,
) -> Assessed:
    """Judges every list by what was learned from the lists of other duplicates, by cross-validation.

    So are the probabilities, and the threshold from which on something is suggested. Candidates about which
    marks say nothing teach nothing, so that the judge of all marks may place them.
    """
    examples, judged = candidates.examples, candidates.judged
    fitted = fit_judge(examples.chosen(judged), names, settings, default, seed)
    calibration = fitted.judge.calibration
    scores = fitted.judge.scores(examples.features)
    probabilities = calibration.probabilities(scores)
    thresholds = np.full(len(scores), calibration.suggests_from)
    if fitted.choice is not None:
        scores[judged] = fitted.choice.scores[fitted.choice.name]
        held_out = replace(examples.chosen(judged), features=scores[judged][:, np.newaxis])
        left_out = partial(_left_out, examples=held_out, settings=settings, default=default, seed=seed)
        probabilities[judged] = left_out(Calibration.probabilities)
        thresholds[judged] = left_out(_threshold_of_each)
    ranks = _ranks(scores, examples.lists)
    return Assessed(candidates, fitted, probabilities, ranks, probabilities >= thresholds)


def _left_out(
    values: Callable[[Calibration, Matrix], Matrix],
    examples: Examples,
    settings: LearningSettings,
    default: FusedJudge | None,
    seed: int,
) -> Matrix:
    """Of each score, by a calibration that was fitted to those of the other folds."""
    stated = default.calibration if default else default_calibration(1.0, 0.0)

    def learn(others: Examples) -> Score:
        scores = others.features[:, 0]
        fitted = fit_calibration(
            scores, others.labels, default=stated, precision=settings.precision, repeated=others.repeated
        )
        return lambda features: values(fitted, features[:, 0])

    return scores_left_out(learn, examples, settings.folds, seed)


def _threshold_of_each(calibration: Calibration, scores: Matrix) -> Matrix:
    return np.full(len(scores), calibration.suggests_from)


def _ranks(scores: Matrix, lists: NDArray[np.int64]) -> NDArray[np.int64]:
    """1 for the highest score of each list; equal scores keep their order. Lists stand side by side."""
    order = np.lexsort((-scores, lists))
    starts = np.searchsorted(lists, lists)
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.arange(len(scores)) - starts[order] + 1
    return ranks


def outcomes_of(assessed: Assessed, marks: Iterable[Mark]) -> list[Outcome]:
    """Of the marks whose later question was asked; the archive names the earlier one first."""
    candidates = assessed.candidates
    asked = {each.question.id for each in candidates.asked}
    owners = [candidates.asked[number].question.id for number in candidates.examples.lists.tolist()]
    places = {pair: place for place, pair in enumerate(zip(owners, candidates.ids, strict=True))}
    return [
        _outcome(assessed, mark, places.get((mark.second, mark.first)))
        for mark in marks
        if mark.second in asked
    ]


def _outcome(assessed: Assessed, mark: Mark, place: int | None) -> Outcome:
    if place is None:
        return Outcome(mark)
    return Outcome(
        mark,
        float(assessed.probabilities[place]),
        int(assessed.ranks[place]),
        bool(assessed.suggested[place]),
    )
