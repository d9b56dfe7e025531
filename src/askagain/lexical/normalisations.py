"""How IB and DFR make term frequencies of short and long fields comparable: tfn = (tf + shift) · factor(dl).

Amati & van Rijsbergen 2002 (H1, H2, H3) and Amati 2003 (Z), with Lucene's defaults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askagain.lexical.parameters import LARGEST, SMALLEST, check, check_choice, check_range

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Normalisation:
    """`factor` maps (lengths, average length, parameter) to factors; `shifted` adds μ·p to tf (H3)."""

    factor: Callable[[Floats, float, float], Floats]
    parameter: float
    shifted: bool = False

    def length_factors(self, lengths: Floats, average: float) -> Floats:
        """One factor per length; a length of 0 never meets a posting and counts as 1."""
        return self.factor(np.maximum(lengths, 1.0), average, self.parameter)

    @property
    def shift(self) -> float:
        """What is added to every term frequency, per unit of the term's collection probability."""
        return self.parameter if self.shifted else 0.0


def _h1(lengths: Floats, average: float, c: float) -> Floats:
    return c * average / lengths


def _h2(lengths: Floats, average: float, c: float) -> Floats:
    return np.log2(1.0 + c * average / lengths)


def _h3(lengths: Floats, average: float, mu: float) -> Floats:
    return mu / (lengths + mu)


def _z(lengths: Floats, average: float, z: float) -> Floats:
    return np.power(average / lengths, z)


def _none(lengths: Floats, average: float, parameter: float) -> Floats:
    return np.ones_like(lengths)


NORMALISATIONS = {
    "h1": Normalisation(_h1, 1.0),
    "h2": Normalisation(_h2, 1.0),
    "h3": Normalisation(_h3, 800.0, shifted=True),
    "z": Normalisation(_z, 0.3),
    "none": Normalisation(_none, 1.0),
}


def normalisation(name: str, parameter: float | None = None) -> Normalisation:
    """The normalisation of that name, with Lucene's default parameter unless one is given."""
    check_choice("normalisation", name, NORMALISATIONS)
    chosen = NORMALISATIONS[name]
    if parameter is None:
        return chosen
    what = f"parameter of normalisation {name}"
    check(name != "none", what, parameter, "left out")
    if name == "z":
        check(SMALLEST <= parameter < 0.5, what, parameter, f"from {SMALLEST:g} to below 0.5")
    else:
        check_range(what, parameter, SMALLEST, LARGEST)
    return Normalisation(chosen.factor, parameter, chosen.shifted)
