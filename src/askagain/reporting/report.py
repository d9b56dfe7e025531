"""What a system would have done on the marks of an archive, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from askagain.archive import Archive
from askagain.calibration.calibration import Calibration
from askagain.calibration.measures import ReliabilityBin, expected_calibration_error, reliability_bins
from askagain.calibration.thresholds import PrecisionRecallCurve, precision_recall
from askagain.errors import TrainingError
from askagain.explanations.explainer import Explainer
from askagain.fusion.judge import FusedJudge
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.question import Question
from askagain.reporting.assessing import Assessed, Outcome, assess, outcomes_of
from askagain.reporting.candidates import candidates_of, marked_questions
from askagain.reporting.growth import Stage, growth_of
from askagain.reporting.mistakes import Mistakes, mistakes_of
from askagain.reporting.periods import ALL, Period, over_time, period_of
from askagain.reporting.shares import Share, share_of
from askagain.reporting.typed import typed_questions
from askagain.views import Views

NamedProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Scope:
    """What was looked at: how many questions were asked, of how many marked ones, and how many at most.

    With `tuned` the system has encoders that learn from marks; they were used as they were before.
    """

    archive: str
    questions: int
    marked_questions: int
    most: int
    pairs: int
    marked_pairs: int
    seed: int
    tuned: bool


@dataclass(frozen=True)
class Confidence:
    """How far the probabilities can be trusted, on lists that were left out; None = nothing was learned."""

    calibration: Calibration
    chosen: str | None
    error: float
    bins: tuple[ReliabilityBin, ...]
    curve: PrecisionRecallCurve


@dataclass(frozen=True)
class Report:
    """All that is told. `cautious` is the precision if what nobody has marked is wrong.

    `first` and `among_ten` are how many marked duplicates have such a place among the matches of a search.
    """

    system: str
    scope: Scope
    confidence: Confidence
    overall: Period
    cautious: Share | None
    first: int
    among_ten: int
    periods: Sequence[Period]
    mistakes: Mistakes
    growth: Sequence[Stage]


def report_on(
    archive: Archive,
    system: FusedSystem,
    views: Views,
    *,
    default: FusedJudge | None,
    seed: int,
    most: int,
    progress: NamedProgress,
) -> Report:
    """Asks again what is marked, and what people typed whose suggestions somebody has judged.

    At most so many questions are asked; `default` is what was learned elsewhere.
    """
    typed = typed_questions(archive.feedback())
    marks = [*archive.marks(), *typed.marks]
    if not marks:
        raise TrainingError(
            f"{archive.path} has no marks, so nothing can be said about a system: import pairs that people "
            "have marked as duplicates or rejected, and try again"
        )

    def questions_of(ids: Iterable[str]) -> dict[str, Question]:
        wanted = set(ids)
        return {
            **archive.get_many(wanted),
            **{id_: typed.questions[id_] for id_ in wanted & typed.questions.keys()},
        }

    questions = questions_of(id_ for mark in marks for id_ in (mark.first, mark.second))
    settings = system.learning
    marked = marked_questions(marks, questions.values(), most, seed)
    gatherer = gatherer_of(system, views, {})
    candidates = candidates_of(gatherer, marked, partial(progress, "searching"))
    names = gatherer.signals.names
    progress("judging", 0, 0)
    assessed = assess(candidates, names, settings, default, seed)
    outcomes = outcomes_of(assessed, marks)
    growth = growth_of(candidates, names, settings, default, seed, partial(progress, "learning again"))
    explainer = Explainer(gatherer.lexical.view)
    return Report(
        system=system.name,
        scope=Scope(
            archive=archive.path.name,
            questions=len(marked.asked),
            marked_questions=len(questions),
            most=most,
            pairs=len(outcomes),
            marked_pairs=len(marks),
            seed=seed,
            tuned=system.fusion.tuned,
        ),
        confidence=_confidence(assessed),
        overall=period_of(ALL, outcomes),
        cautious=_cautious(assessed),
        first=_placed(outcomes, 1),
        among_ten=_placed(outcomes, 10),
        periods=over_time(outcomes),
        mistakes=mistakes_of(
            assessed,
            outcomes,
            questions_of,
            lambda one, other: explainer.explain(one, other).line,
        ),
        growth=growth,
    )


def _confidence(assessed: Assessed) -> Confidence:
    judged = assessed.candidates.judged
    probabilities = assessed.probabilities[judged]
    labels = assessed.candidates.examples.labels[judged]
    choice = assessed.fitted.choice
    return Confidence(
        assessed.fitted.judge.calibration,
        choice.name if choice else None,
        expected_calibration_error(probabilities, labels),
        reliability_bins(probabilities, labels),
        precision_recall(probabilities, labels),
    )


def _cautious(assessed: Assessed) -> Share | None:
    candidates = assessed.candidates
    suggested = assessed.suggested & candidates.judged
    right = int((suggested & candidates.examples.labels).sum())
    return share_of(right, int(suggested.sum()))


def _placed(outcomes: Sequence[Outcome], last: int) -> int:
    """How many duplicates are found at this place or before it."""
    ranks = [outcome.rank for outcome in outcomes if outcome.is_duplicate]
    return sum(1 for rank in ranks if rank is not None and rank <= last)
