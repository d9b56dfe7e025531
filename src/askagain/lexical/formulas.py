"""The six classic similarities: one pure function per formula.

A question's score is the sum, over the query's terms and the fields, of a weight. Every weight splits into
three parts, so that the work per posting is small:

* a *length factor*, from the field's length and the collection (once per length; see `similarities`),
* *term factors* first, second and shift, from the term's statistics (once per query term; `..._term`),
* the *weight*, which joins both with the term's frequency in the field (once per posting).

Notation: tf frequency in the field, dl length of the field, avg mean length, N questions that have the field,
n questions that hold the term in it, F occurrences of the term in all of them, T terms in all of them.
The forms are those of Lucene 8: no coordination factor, no query norm, no (k1 + 1) in BM25; "+1" and "+0.5"
keep every weight finite and not below zero. All weights grow with tf and shrink with dl, which the search
relies on for its upper bounds.
"""

from __future__ import annotations

from math import log, log1p, log2, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askagain.jit import compiled

# The shapes of weight that the kernels know. IB has two, one per distribution.
BM25: Final = 0
TFIDF: Final = 1
LMD: Final = 2
LMJ: Final = 3
LOG_LOGISTIC: Final = 4
SMOOTHED_POWER_LAW: Final = 5
DFR: Final = 6

# How IB estimates λ.
RATE_DF: Final = 0
RATE_TTF: Final = 1

# DFR's basic models and after-effects.
MODEL_G: Final = 0
MODEL_IF: Final = 1
MODEL_IN: Final = 2
MODEL_INE: Final = 3
EFFECT_L: Final = 0
EFFECT_B: Final = 1

ROUNDING: Final = 2.0**-53
"""Where rounding leaves the power law no mass, half a unit in the last place keeps its logarithm finite."""


@compiled
def bm25_term(n: float, N: float) -> float:
    """idf = log(1 + (N − n + 0.5) / (n + 0.5))."""
    return log1p((N - n + 0.5) / (n + 0.5))


@compiled
def bm25(tf: float, length_factor: float, idf: float) -> float:
    """idf · tf / (tf + k1·(1 − b + b·dl/avg)), Robertson & Zaragoza 2009."""
    return idf * tf / (tf + length_factor)


@compiled
def tfidf_term(n: float, N: float) -> float:
    """idf = 1 + log((N + 1) / (n + 1))."""
    return 1.0 + log((N + 1.0) / (n + 1.0))


@compiled
def tfidf(tf: float, length_factor: float, idf: float) -> float:
    """√tf · idf / √dl, the classic vector space model, Salton et al. 1975, as Lucene scores it."""
    return sqrt(tf) * idf * length_factor


@compiled
def collection_probability(F: float, T: float) -> float:
    """How likely a term of the collection is this one, p."""
    return (F + 1.0) / (T + 1.0)


@compiled
def lm_dirichlet(tf: float, length_factor: float, inverse: float) -> float:
    """log(1 + tf / (μ·p)) + log(μ / (dl + μ)), not below 0, Zhai & Lafferty 2001."""
    return max(0.0, log1p(tf * inverse) + length_factor)


@compiled
def lm_jelinek_mercer(tf: float, length_factor: float, odds: float) -> float:
    """log(1 + ((1 − λ)·tf/dl) / (λ·p)), Zhai & Lafferty 2001."""
    return log1p(tf * length_factor * odds)


@compiled
def information_rate(rate: int, n: float, F: float, N: float) -> float:
    """λ of IB: (n + 1)/(N + 1) or (F + 1)/(N + 1), in 32 bits; 1 would divide by zero and is stepped over."""
    value = np.float32(((n if rate == RATE_DF else F) + 1.0) / (N + 1.0))
    if value == np.float32(1.0):
        value = np.float32(1.0 - 2.0**-24) if rate == RATE_DF else np.float32(1.0 + 2.0**-23)
    return float(value)


@compiled
def log_logistic(tfn: float, rate: float) -> float:
    """−log(λ / (tfn + λ)), Clinchant & Gaussier 2010."""
    return -log(rate / (tfn + rate))


@compiled
def smoothed_power_law(tfn: float, rate: float) -> float:
    """−log((λ^(tfn/(tfn+1)) − λ) / (1 − λ)), Clinchant & Gaussier 2010."""
    mass = (rate ** (1.0 - 1.0 / (tfn + 1.0)) - rate) / (1.0 - rate)
    return -log(max(mass, abs(rate / (1.0 - rate)) * ROUNDING))


@compiled
def basic_model(model: int, n: float, F: float, N: float) -> tuple[float, float]:
    """Information content of DFR as (a, b) in a − b/(1 + tfn), Amati & van Rijsbergen 2002."""
    if model == MODEL_G:
        rate = (F + 1.0) / (N + F + 1.0)
        often, seldom = log2((rate + 1.0) / rate), log2(rate + 1.0)
        return often, often - seldom
    if model == MODEL_IF:
        information = log2(1.0 + (N + 1.0) / (F + 0.5))
    elif model == MODEL_IN:
        information = log2((N + 1.0) / (n + 0.5))
    else:
        expected = N * (1.0 - ((N - 1.0) / N) ** F)
        information = log2((N + 1.0) / (expected + 0.5))
    return information, information


@compiled
def after_effect(effect: int, n: float, F: float) -> float:
    """DFR's after-effect times (1 + tfn): L 1, B (F + 2)/(n + 1), Amati & van Rijsbergen 2002."""
    return 1.0 if effect == EFFECT_L else (F + 2.0) / (n + 1.0)


@compiled
def divergence_from_randomness(tfn: float, first: float, second: float) -> float:
    """After-effect · information content."""
    return first - second / (1.0 + tfn)


@compiled
def term_factors(
    shape: int, parameters: NDArray[np.float64], n: float, F: float, N: float, T: float
) -> tuple[float, float, float]:
    """(first, second, shift) of a term; `parameters` as in `similarities`."""
    if shape == BM25:
        return bm25_term(n, N), 0.0, 0.0
    if shape == TFIDF:
        return tfidf_term(n, N), 0.0, 0.0
    p = collection_probability(F, T)
    if shape == LMD:
        return 1.0 / (parameters[0] * p), 0.0, 0.0
    if shape == LMJ:
        return (1.0 - parameters[0]) / (parameters[0] * p), 0.0, 0.0
    shift = parameters[0] * p
    if shape == DFR:
        gain = after_effect(int(parameters[2]), n, F)
        first, second = basic_model(int(parameters[1]), n, F, N)
        return gain * first, gain * second, shift
    return information_rate(int(parameters[1]), n, F, N), 0.0, shift


@compiled
def weight(shape: int, tf: float, length_factor: float, first: float, second: float, shift: float) -> float:
    """The weight of a term that occurs `tf` times in a field."""
    if shape == BM25:
        return bm25(tf, length_factor, first)
    if shape == TFIDF:
        return tfidf(tf, length_factor, first)
    if shape == LMD:
        return lm_dirichlet(tf, length_factor, first)
    if shape == LMJ:
        return lm_jelinek_mercer(tf, length_factor, first)
    tfn = (tf + shift) * length_factor
    if shape == LOG_LOGISTIC:
        return log_logistic(tfn, first)
    if shape == SMOOTHED_POWER_LAW:
        return smoothed_power_law(tfn, first)
    return divergence_from_randomness(tfn, first, second)
