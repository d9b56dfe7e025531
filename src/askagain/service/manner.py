"""How a service searches: with which system, and from which probability on it suggests something."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.calibration.wishes import LEAST_LIKELY
from askagain.engine import Engine
from askagain.ranker import CalibratedRanker
from askagain.service.settings import UNSET, ServiceSettings


@dataclass(frozen=True, slots=True)
class Manner:
    """Below the threshold nothing is suggested unless a request asks for it.

    Calibrated are probabilities that come from marks of the forum that is served.
    """

    system: str
    threshold: float
    calibrated: bool


def manner_of(engine: Engine, settings: ServiceSettings) -> Manner:
    """The threshold is the one that is set, else the one that training has chosen, else a low one."""
    ranker = engine.ranker
    calibrated = isinstance(ranker, CalibratedRanker) and ranker.is_calibrated
    threshold = engine.threshold if calibrated else LEAST_LIKELY
    if settings.min_probability > UNSET:
        threshold = settings.min_probability
    return Manner(ranker.name, threshold, calibrated)
