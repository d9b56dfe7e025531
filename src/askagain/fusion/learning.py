"""From a recipe and marks to a fused system in its folder: encoders, order, probabilities."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import tomli_w

from askagain.calibration.summary import CalibrationReport, origin_of, report_of
from askagain.encoders.shipped import shipped_encoder
from askagain.fusion.encoders import NamedProgress, OnEpoch, dev_pairs, taught_encoders
from askagain.fusion.examples import (
    asked_by_people,
    asked_in,
    asked_in_dev,
    listed_examples,
    searched_examples,
)
from askagain.fusion.fitting import Fitted, fit_judge
from askagain.fusion.folder import Fused, save_fused
from askagain.fusion.gathering import Gatherer
from askagain.fusion.judge import FusedJudge
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.modelfolder import CARD, check_replaceable
from askagain.question import Feedback
from askagain.rerank.fit.examples import Examples
from askagain.sources.lists import CandidateList
from askagain.training.data import Pair, TrainingData
from askagain.version import VERSION
from askagain.views import Views


@dataclass(frozen=True)
class FusionLessons:
    """Questions with marks, pairs of ids that people have rejected, and feedback; or lists with labels.

    Those of `dev_lists` are measured with and not learned from.
    """

    data: TrainingData
    rejected: tuple[Pair, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    lists: tuple[CandidateList, ...] = ()
    dev_lists: tuple[CandidateList, ...] = ()

    @property
    def hash(self) -> str:
        """SHA-256 of everything that is learned from and measured with."""
        told = [(list_.query, list_.candidates) for list_ in (*self.lists, *self.dev_lists)]
        every = f"{self.data.hash} {self.rejected!r} {self.feedback!r} {told!r}"
        if tags := [question.tags for question in self.data.questions if question.tags]:
            every += f" {tags!r}"
        return sha256(every.encode("utf-8", "replace")).hexdigest()


class Learned(NamedTuple):
    """What came out: the judge with how it was chosen, and its figures on marks that were held out."""

    fitted: Fitted
    report: CalibrationReport | None


def identity_of(system: FusedSystem, lessons: FusionLessons, seed: int) -> str:
    """Equal for trainings that end with the same model; every judge looks through the shipped encoder."""
    told = [system.to_table(), lessons.hash, seed, shipped_encoder().identity]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def learn(
    system: FusedSystem,
    lessons: FusionLessons,
    views: Views,
    folder: Path,
    *,
    seed: int,
    default: FusedJudge | None,
    on_epoch: OnEpoch,
    progress: NamedProgress,
) -> Learned:
    """Teaches a system and writes its model folder; `default` is what was learned elsewhere.

    What teaches an encoder does not teach the judge: it would trust that encoder too much. Labelled lists are
    few, so sentence encoders leave all of them to the judge.
    """
    check_replaceable(folder)
    teaching = replace(system, fusion=replace(system.fusion, tuned=False)) if lessons.lists else system
    judged, encoders = taught_encoders(teaching, lessons.data, folder, seed, on_epoch, progress)
    gatherer = gatherer_of(system, views, encoders)
    examples = _examples(gatherer, _left_for_the_judge(lessons, judged), system, seed, progress)
    fitted = fit_judge(examples, gatherer.signals.names, system.learning, default, seed)
    report = _measured(gatherer, fitted.judge, lessons, progress)
    card = _card(system, lessons, fitted, report, seed)
    pictures = report.pictures(system.name) if report else {}
    save_fused(folder, Fused(system, fitted.judge, encoders), {CARD: card, **pictures})
    for copied in encoders.values():
        shutil.rmtree(copied)
    return Learned(fitted, report)


def _left_for_the_judge(lessons: FusionLessons, judged: TrainingData) -> FusionLessons:
    taught_others = _paired(lessons.data) - _paired(judged)
    lists = tuple(list_ for list_ in lessons.lists if list_.query.id not in taught_others)
    return replace(lessons, data=judged, lists=lists)


def _paired(data: TrainingData) -> set[str]:
    return {data.questions[row].id for row in data.pairs.ravel().tolist()}


def _examples(
    gatherer: Gatherer, lessons: FusionLessons, system: FusedSystem, seed: int, progress: NamedProgress
) -> Examples:
    if lessons.lists:
        return listed_examples(gatherer, lessons.lists, partial(progress, "comparing"))
    held_out = {id_ for pair in dev_pairs(lessons.data) for id_ in pair}
    # What people said of questions that are measured with must not teach.
    rejected = [pair for pair in lessons.rejected if held_out.isdisjoint(pair)]
    feedback = [each for each in lessons.feedback if each.found not in held_out]
    asked = asked_in(lessons.data, rejected, system.learning.queries, seed)
    asked += asked_by_people(feedback, lessons.data)
    return searched_examples(gatherer, asked, partial(progress, "searching"))


def _measured(
    gatherer: Gatherer, judge: FusedJudge, lessons: FusionLessons, progress: NamedProgress
) -> CalibrationReport | None:
    measuring = partial(progress, "measuring")
    if lessons.lists:
        held_out = listed_examples(gatherer, lessons.dev_lists, measuring)
    else:
        held_out = searched_examples(gatherer, asked_in_dev(lessons.data), measuring)
    if not len(held_out.labels):
        return None
    return report_of(judge.calibration, judge.scores(held_out.features), held_out.labels)


def _card(
    system: FusedSystem,
    lessons: FusionLessons,
    fitted: Fitted,
    report: CalibrationReport | None,
    seed: int,
) -> str:
    data = lessons.data
    return "\n".join([
        f"# {system.name}", "",
        system.description, "",
        "## Data", "",
        f"- source: {data.source or 'questions given by a program'}",
        f"- questions: {len(data.questions):,}",
        f"- marked pairs: {len(data.pairs):,}; rejected pairs: {len(lessons.rejected):,}; verdicts on "
        f"suggestions: {len(lessons.feedback):,}; lists with labels: {len(lessons.lists):,}",
        f"- SHA-256 of the data: {lessons.hash}",
        f"- seed: {seed}",
        f"- made with: askagain {VERSION}, Python {platform.python_version()}", "",
        "## Order of candidates", "",
        *_chosen(fitted), "",
        "## Probabilities", "",
        *(report.to_markdown() if report else [_unmeasured(fitted)]), "",
        *(f"![{name}]({name})" for name in (report.pictures(system.name) if report else ())), "",
        "## Settings", "",
        "```toml", tomli_w.dumps(system.to_table()).strip(), "```", "",
    ])  # fmt: skip


def _unmeasured(fitted: Fitted) -> str:
    calibration = fitted.judge.calibration
    return f"- probabilities: {origin_of(calibration)}; there are too few marks to measure them with"


def _chosen(fitted: Fitted) -> Sequence[str]:
    if fitted.choice is None:
        return ["- too few marks to learn from: the order is the one that ships with the package"]
    reached = fitted.choice.reached.items()
    return [
        f"- {name}: MAP {100 * value:.2f} over lists that were left out"
        f"{' (chosen)' if name == fitted.choice.name else ''}"
        for name, value in reached
    ]
