"""The six classic similarities as settings: which formula, with which parameters and components.

Each turns collection statistics into the length factors and term factors that `formulas` joins per posting.
Parameters and their defaults are Lucene's; where Lucene has none, ours are λ = 0.1 for Jelinek–Mercer, the
log-logistic model with document-frequency λ for IB, and In-L for DFR, both with length normalisation H2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from askagain.errors import SettingsError
from askagain.lexical import formulas
from askagain.lexical.normalisations import normalisation
from askagain.lexical.parameters import LARGEST, SMALLEST, check_choice, check_number, check_range

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FieldStatistics:
    """One field in the whole archive: how many questions have it (N) and how many terms it holds (T)."""

    questions: int
    terms: int

    @property
    def average_length(self) -> float:
        """Mean length over the questions that have the field."""
        return self.terms / self.questions if self.questions else 1.0


class Similarity(Protocol):
    """A formula with its parameters."""

    name: ClassVar[str]

    @property
    def shape(self) -> int:
        """Which formula of `formulas` gives the weight."""

    def numbers(self) -> tuple[float, ...]:
        """The parameters that the formula's term factors take."""

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """One factor per length."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TfIdf:
    """Classic vector space similarity."""

    name: ClassVar[str] = "tfidf"

    @property
    def shape(self) -> int:
        """√tf · idf / √dl."""
        return formulas.TFIDF

    def numbers(self) -> tuple[float, ...]:
        """None."""
        return ()

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """1 / √dl."""
        return 1.0 / np.sqrt(np.maximum(lengths, 1.0))


@dataclass(frozen=True, kw_only=True, slots=True)
class Bm25:
    """BM25: `k1` saturates the term frequency, `b` is how much the length counts."""

    name: ClassVar[str] = "bm25"
    k1: float = 1.2
    b: float = 0.75

    def __post_init__(self) -> None:
        check_range("k1", self.k1, 0, LARGEST)
        check_range("b", self.b, 0, 1)

    @property
    def shape(self) -> int:
        """idf · tf / (tf + length factor)."""
        return formulas.BM25

    def numbers(self) -> tuple[float, ...]:
        """None: both parameters are in the length factor."""
        return ()

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """k1 · (1 − b + b·dl/avg)."""
        return self.k1 * (1.0 - self.b + self.b * lengths / field.average_length)


@dataclass(frozen=True, kw_only=True, slots=True)
class LmDirichlet:
    """Language model with Dirichlet smoothing: `mu` is the weight of the collection, in terms."""

    name: ClassVar[str] = "lmd"
    mu: float = 2000.0

    def __post_init__(self) -> None:
        check_range("mu", self.mu, SMALLEST, LARGEST)

    @property
    def shape(self) -> int:
        """log(1 + tf / (μ·p)) + length factor."""
        return formulas.LMD

    def numbers(self) -> tuple[float, ...]:
        """μ."""
        return (self.mu,)

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """log(μ / (dl + μ))."""
        return np.log(self.mu / (lengths + self.mu))


@dataclass(frozen=True, kw_only=True, slots=True)
class LmJelinekMercer:
    """Language model with Jelinek–Mercer smoothing: `smoothing` (λ) is the share of the collection."""

    name: ClassVar[str] = "lmj"
    smoothing: float = 0.1

    def __post_init__(self) -> None:
        check_range("smoothing", self.smoothing, SMALLEST, 1)

    @property
    def shape(self) -> int:
        """log(1 + tf · length factor · (1 − λ)/(λ·p))."""
        return formulas.LMJ

    def numbers(self) -> tuple[float, ...]:
        """λ."""
        return (self.smoothing,)

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """1 / dl."""
        return 1.0 / np.maximum(lengths, 1.0)


RATES = {"df": formulas.RATE_DF, "ttf": formulas.RATE_TTF}
DISTRIBUTIONS = {"ll": formulas.LOG_LOGISTIC, "spl": formulas.SMOOTHED_POWER_LAW}
BASIC_MODELS = {
    "g": formulas.MODEL_G,
    "if": formulas.MODEL_IF,
    "in": formulas.MODEL_IN,
    "ine": formulas.MODEL_INE,
}
AFTER_EFFECTS = {"l": formulas.EFFECT_L, "b": formulas.EFFECT_B}


@dataclass(frozen=True, kw_only=True, slots=True)
class InformationBased:
    """IB: distribution ll or spl, λ from document (df) or term (ttf) frequency, a length normalisation."""

    name: ClassVar[str] = "ib"
    distribution: str = "ll"
    rate: str = "df"
    normalisation: str = "h2"
    parameter: float | None = None

    def __post_init__(self) -> None:
        check_choice("distribution", self.distribution, DISTRIBUTIONS)
        check_choice("rate", self.rate, RATES)
        normalisation(self.normalisation, self.parameter)

    @property
    def shape(self) -> int:
        """−log of the probability of a frequency at least as high."""
        return DISTRIBUTIONS[self.distribution]

    def numbers(self) -> tuple[float, ...]:
        """The normalisation's shift per unit of p, and how λ is estimated."""
        return (normalisation(self.normalisation, self.parameter).shift, RATES[self.rate])

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """The normalisation's."""
        return normalisation(self.normalisation, self.parameter).length_factors(lengths, field.average_length)


@dataclass(frozen=True, kw_only=True, slots=True)
class DivergenceFromRandomness:
    """DFR: basic model g, if, in or ine, after-effect l or b, a length normalisation."""

    name: ClassVar[str] = "dfr"
    basic_model: str = "in"
    after_effect: str = "l"
    normalisation: str = "h2"
    parameter: float | None = None

    def __post_init__(self) -> None:
        check_choice("basic_model", self.basic_model, BASIC_MODELS)
        check_choice("after_effect", self.after_effect, AFTER_EFFECTS)
        normalisation(self.normalisation, self.parameter)

    @property
    def shape(self) -> int:
        """After-effect · information content."""
        return formulas.DFR

    def numbers(self) -> tuple[float, ...]:
        """The normalisation's shift per unit of p, basic model and after-effect."""
        shift = normalisation(self.normalisation, self.parameter).shift
        return (shift, BASIC_MODELS[self.basic_model], AFTER_EFFECTS[self.after_effect])

    def length_factors(self, lengths: Floats, field: FieldStatistics) -> Floats:
        """The normalisation's."""
        return normalisation(self.normalisation, self.parameter).length_factors(lengths, field.average_length)


SIMILARITIES: dict[str, Callable[..., Similarity]] = {
    kind.name: kind
    for kind in (TfIdf, Bm25, InformationBased, DivergenceFromRandomness, LmDirichlet, LmJelinekMercer)
}


def similarity(name: str, parameters: Mapping[str, Any] | None = None) -> Similarity:
    """The similarity of that name with those parameters; an unknown name is an error that lists the known."""
    check_choice("similarity", name, SIMILARITIES)
    kind: Any = SIMILARITIES[name]
    known = [field.name for field in fields(kind)]
    for parameter, value in (parameters or {}).items():
        if parameter not in known:
            raise SettingsError(f"{name} has no parameter {parameter!r}: it has {', '.join(known) or 'none'}")
        if not isinstance(getattr(kind(), parameter), str):
            check_number(parameter, value)
    made: Similarity = kind(**(parameters or {}))
    return made


def settings_of(chosen: Similarity) -> dict[str, Any]:
    """Name and parameters, as a recipe writes them: what has no value is left out."""
    values: dict[str, Any] = asdict(chosen)  # type: ignore[call-overload]
    return {"name": chosen.name} | {name: value for name, value in values.items() if value is not None}
