"""Made-up outcomes and reports, for tests of what is told about them."""

import numpy as np

from askagain.calibration.calibration import Calibration, default_calibration
from askagain.calibration.measures import reliability_bins
from askagain.calibration.thresholds import precision_recall
from askagain.question import Mark, Question, Verdict
from askagain.reporting.assessing import Outcome
from askagain.reporting.growth import Estimate, Stage
from askagain.reporting.mistakes import Kind, Mistake, Mistakes
from askagain.reporting.periods import ALL, Period, over_time, period_of
from askagain.reporting.report import Confidence, Report, Scope
from askagain.reporting.shares import share_of


def duplicate(when: str = "", *, suggested: bool = True) -> Outcome:
    return _outcome(Verdict.DUPLICATE, when, suggested)


def rejected(when: str = "", *, suggested: bool = True) -> Outcome:
    return _outcome(Verdict.NOT_DUPLICATE, when, suggested)


def _outcome(verdict: Verdict, when: str, suggested: bool) -> Outcome:
    return Outcome(Mark("a", "b", verdict, when=when), 0.9 if suggested else 0.1, 1, suggested)


def mistake(title: str = "", body: str = "", kind: Kind = Kind.REJECTED) -> Mistake:
    question = Question(title=title, body=body, id="q1")
    return Mistake(kind, question, question, 0.93, 1, True, f"same: {title}")


def report(
    *outcomes: Outcome,
    mistakes: Mistakes | None = None,
    growth: tuple[Stage, ...] = (),
    calibration: Calibration | None = None,
) -> Report:
    likely, labels = np.array([0.2, 0.9, 0.95]), np.array([False, True, True])
    return Report(
        system="best",
        scope=Scope("forum.db", 3, 4, 4000, 2, 3, seed=0, tuned=False),
        confidence=Confidence(
            calibration or default_calibration(1.0, 0.0),
            "logistic",
            0.01,
            reliability_bins(likely, labels),
            precision_recall(likely, labels),
        ),
        overall=period_of(ALL, outcomes),
        cautious=share_of(2, 3),
        first=1,
        among_ten=1,
        periods=over_time(outcomes),
        mistakes=mistakes or Mistakes(dict.fromkeys(Kind, 0), [], []),
        growth=growth,
    )


def stage(marks: int, *, is_all: bool = False) -> Stage:
    return Stage(marks, is_all, Estimate(0.5, 0.4, 0.6), None, Estimate(0.2, 0.1, 0.3))


def period(*outcomes: Outcome) -> Period:
    return period_of("some", outcomes)
