"""A monotone map from scores to probabilities, with the threshold for a wished precision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askagain.calibration.wishes import LEAST_LIKELY, PRECISION
from askagain.encoders.weightfile import Arrays
from askagain.errors import ModelError, SettingsError
from askagain.evaluation.metrics import FloatArray
from askagain.modelfolder import REMEDY
from askagain.tables import check_range, read_table

LEAST: Final = 1e-6
"""No probability is below it, nor above 1 - it: nobody has seen a million pairs of one score."""

SILENCE: Final = 1.0
"""The threshold that no probability reaches."""

LARGEST: Final = 1e30
"""Scores beyond it are taken for it, so that no product of them overflows."""

_MOST_LOG_ODDS: Final = float(np.log((1 - LEAST) / LEAST))
_ARRAYS: Final = ("scores", "log_odds")
_PREFIX: Final = "calibration."

Method = Literal["isotonic", "logistic", "default"]


@dataclass(frozen=True)
class Calibration:
    """A broken line from scores to log-odds, and what it was fitted on.

    Between its knots it is straight; beyond the outermost ones it goes on with `slope`. A logistic curve is
    one knot with a slope, isotonic regression many knots and no slope. A pair is shown as a duplicate if its
    probability is at least `threshold`, which is where the wished `precision` was reached on held-out marks.
    """

    method: Method
    scores: tuple[float, ...]
    log_odds: tuple[float, ...]
    slope: float
    examples: int
    duplicates: int
    precision: float
    threshold: float

    def __post_init__(self) -> None:
        if not self.scores or len(self.scores) != len(self.log_odds):
            raise SettingsError(f"{len(self.scores)} scores for {len(self.log_odds)} log-odds")
        if not all(map(isfinite, (*self.scores, *self.log_odds))):
            raise SettingsError("a score or its log-odds are not a finite number")
        if any(low >= high for low, high in pairwise(self.scores)):
            raise SettingsError("the scores do not increase")
        if any(low > high for low, high in pairwise(self.log_odds)):
            raise SettingsError("the log-odds decrease")
        check_range("slope", self.slope, 0, LARGEST)
        check_range("duplicates", self.duplicates, 0, self.examples)
        check_range("precision", self.precision, 0, 1)
        check_range("threshold", self.threshold, 0, SILENCE)

    @property
    def is_calibrated(self) -> bool:
        """Whether marks of this archive were learned from; else the probabilities are stated defaults."""
        return self.method != "default"

    @property
    def suggests_from(self) -> float:
        """The least probability that is suggested: the threshold, or a low one where it was not fitted."""
        return self.threshold if self.is_calibrated else LEAST_LIKELY

    @property
    def is_silent(self) -> bool:
        """Whether no threshold reached the wished precision, so that nothing is shown."""
        return self.threshold >= SILENCE

    def probabilities(self, scores: ArrayLike) -> FloatArray:
        """Of each pair to be one of duplicates: never 0, 1 or NaN; a score that is not finite has `LEAST`."""
        values = np.asarray(scores, dtype=np.float64)
        is_known = np.isfinite(values)
        known = np.clip(np.where(is_known, values, 0.0), -LARGEST, LARGEST)
        beyond = np.minimum(known - self.scores[0], 0.0) + np.maximum(known - self.scores[-1], 0.0)
        log_odds = np.interp(known, self.scores, self.log_odds) + self.slope * beyond
        found = 1 / (1 + np.exp(-np.clip(log_odds, -_MOST_LOG_ODDS, _MOST_LOG_ODDS)))
        return np.where(is_known, np.clip(found, LEAST, 1 - LEAST), LEAST)

    def as_default(self, precision: float) -> Calibration:
        """The same map for an archive that it was not fitted on.

        If its probabilities hold there, what is at or above `precision` has at least this precision.
        """
        return replace(
            self, method="default", examples=0, duplicates=0, precision=precision, threshold=precision
        )

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        """The knots, for a file of weights; their names do not meet those of other weights."""
        table = asdict(self)
        return {f"{_PREFIX}{name}": np.array(table[name], dtype=np.float32) for name in _ARRAYS}

    def to_table(self) -> dict[str, Any]:
        """Everything but the knots, for TOML."""
        return {name: value for name, value in asdict(self).items() if name not in _ARRAYS}

    @classmethod
    def from_arrays(cls, arrays: Arrays, table: Mapping[str, Any], where: Path) -> Calibration:
        """What `to_arrays` and `to_table` gave; `where` is the model folder or file that they are from."""
        try:
            knots = {name: arrays[f"{_PREFIX}{name}"].tolist() for name in _ARRAYS}
            values = {**table, **knots}
            missing = [field.name for field in fields(cls) if field.name not in values]
            if missing:
                raise SettingsError(f"{', '.join(missing)} missing")
            return read_table(cls, values, "calibration")
        except KeyError as error:
            raise ModelError(f"{where}: the weights {error} are missing; {REMEDY}") from error
        except (SettingsError, TypeError) as error:
            raise ModelError(f"{where}: the calibration is damaged: {error}; {REMEDY}") from error


def default_calibration(slope: float, intercept: float, *, precision: float = PRECISION) -> Calibration:
    """The stated logistic curve 1 / (1 + exp(-(slope · score + intercept))), fitted on nothing."""
    return Calibration("default", (0.0,), kept([intercept]), slope, 0, 0, precision, precision)


def kept(values: Iterable[float]) -> tuple[float, ...]:
    """Rounded to what a file of weights keeps, so that a loaded map is the map that was saved."""
    return tuple(np.fromiter(values, dtype=np.float32).tolist())
