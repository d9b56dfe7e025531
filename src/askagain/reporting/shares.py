"""Shares of counted things, with how sure they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from askagain.calibration.intervals import TWO_SIDED_95, wilson_interval


class Share(NamedTuple):
    """So many of so many, as a share with its 95% interval (Wilson 1927)."""

    part: int
    whole: int
    value: float
    low: float
    high: float


def share_of(part: int, whole: int) -> Share | None:
    """None of nothing."""
    if not whole:
        return None
    value = part / whole
    [low], [high] = wilson_interval(np.array([value]), np.array([float(whole)]), TWO_SIDED_95)
    return Share(part, whole, value, float(low), float(high))
