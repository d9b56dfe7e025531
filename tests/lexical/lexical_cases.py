"""Similarities and statistics for property tests, and every weight as textbooks write it."""

from math import inf, log, log2, sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st

from askagain.lexical import formulas
from askagain.lexical.lengths import LONGEST
from askagain.lexical.normalisations import NORMALISATIONS
from askagain.lexical.parameters import LARGEST, SMALLEST
from askagain.lexical.segment import MOST_FREQUENT
from askagain.lexical.similarities import (
    AFTER_EFFECTS,
    BASIC_MODELS,
    DISTRIBUTIONS,
    RATES,
    SIMILARITIES,
    Bm25,
    DivergenceFromRandomness,
    FieldStatistics,
    InformationBased,
    LmDirichlet,
    LmJelinekMercer,
    Similarity,
    TfIdf,
)


class Statistics(NamedTuple):
    """A term in a field of a collection: N questions, n of them with the term, F times; T terms in all."""

    N: int
    n: int
    F: int
    T: int


@st.composite
def statistics(draw: st.DrawFn) -> Statistics:
    """Everything that a collection can look like, from one question to a hundred million."""
    N = draw(st.integers(1, 10**8))
    n = draw(st.integers(1, N))
    F = draw(st.integers(n, MOST_FREQUENT * n))
    least = max(F, N)
    return Statistics(N, n, F, draw(st.integers(least, max(least, LONGEST * N))))


def with_components(
    kind: Any, least: float, most: float, **components: dict[str, int]
) -> st.SearchStrategy[Any]:
    """IB or DFR with any components, any normalisation, and its parameter given or left out."""
    of_z = st.floats(least, min(most, 0.49))
    parameters = {name: of_z if name == "z" else st.floats(least, most) for name in NORMALISATIONS}
    parameters["none"] = st.none()
    chosen = {name: st.sampled_from(list(choices)) for name, choices in components.items()}
    return st.one_of(
        st.builds(kind, **chosen, normalisation=st.just(name), parameter=st.none() | values)
        for name, values in parameters.items()
    )


def similarities(least: float = SMALLEST, most: float = LARGEST) -> st.SearchStrategy[Similarity]:
    """All six with any components, their parameters within limits."""
    return st.one_of(
        st.just(TfIdf()),
        st.builds(Bm25, k1=st.just(0.0) | st.floats(least, most), b=st.floats(0, 1)),
        st.builds(LmDirichlet, mu=st.floats(least, most)),
        st.builds(LmJelinekMercer, smoothing=st.floats(least, 1)),
        with_components(InformationBased, least, most, distribution=DISTRIBUTIONS, rate=RATES),
        with_components(
            DivergenceFromRandomness, least, most, basic_model=BASIC_MODELS, after_effect=AFTER_EFFECTS
        ),
    )


every_similarity = pytest.mark.parametrize(
    "chosen", [kind() for kind in SIMILARITIES.values()], ids=SIMILARITIES
)

frequencies = st.integers(1, MOST_FREQUENT)
lengths = st.integers(1, LONGEST)


def weight(similarity: Similarity, tf: int, dl: int, collection: Statistics) -> float:
    """The weight as the index computes it, from its three parts."""
    N, n, F, T = collection
    [length_factor] = similarity.length_factors(np.array([dl], dtype=np.float64), FieldStatistics(N, T))
    numbers = np.array(similarity.numbers(), dtype=np.float64)
    factors = formulas.term_factors(similarity.shape, numbers, float(n), float(F), float(N), float(T))
    return formulas.weight(similarity.shape, float(tf), length_factor, *factors)


def textbook_weight(similarity: Similarity, tf: int, dl: int, collection: Statistics) -> float:
    """The same in one piece, written independently."""
    N, n, F, T = collection
    p = (F + 1) / (T + 1)
    match similarity:
        case TfIdf():
            return sqrt(tf) * (1 + log((N + 1) / (n + 1))) / sqrt(dl)
        case Bm25(k1=k1, b=b):
            return log(1 + (N - n + 0.5) / (n + 0.5)) * tf / (tf + k1 * (1 - b + b * dl / (T / N)))
        case LmDirichlet(mu=mu):
            return max(0.0, log(1 + tf / (mu * p)) + log(mu / (dl + mu)))
        case LmJelinekMercer(smoothing=smoothing):
            return log(1 + (1 - smoothing) * tf / dl / (smoothing * p))
        case InformationBased():
            return _information_based(similarity, frequency(similarity, tf, dl, collection), collection)
        case DivergenceFromRandomness():
            return _divergence(similarity, frequency(similarity, tf, dl, collection), collection)
    raise NotImplementedError(similarity)


def frequency(
    similarity: InformationBased | DivergenceFromRandomness, tf: int, dl: int, collection: Statistics
) -> float:
    """tfn: the term frequency, made comparable."""
    average = collection.T / collection.N
    given = similarity.parameter
    match similarity.normalisation:
        case "h1":
            return tf * (given or 1.0) * average / dl
        case "h2":
            return tf * log2(1 + (given or 1.0) * average / dl)
        case "h3":
            mu = given or 800.0
            return mu * (tf + mu * (collection.F + 1) / (collection.T + 1)) / (dl + mu)
        case "z":
            return tf * (average / dl) ** (given or 0.3)
    return tf


def _information_based(similarity: InformationBased, tfn: float, collection: Statistics) -> float:
    N, n, F, _ = collection
    one = np.float32(1)
    if similarity.rate == "df":
        rate = min(np.float32((n + 1) / (N + 1)), np.nextafter(one, np.float32(0)))
    else:
        rate = np.float32((F + 1) / (N + 1))
        rate = np.nextafter(one, np.float32(inf)) if rate == one else rate
    λ = float(rate)
    if similarity.distribution == "ll":
        return -log(λ / (tfn + λ))
    return -log((λ ** (tfn / (tfn + 1)) - λ) / (1 - λ))


def _divergence(similarity: DivergenceFromRandomness, tfn: float, collection: Statistics) -> float:
    N, n, F, _ = collection
    effect = (1 if similarity.after_effect == "l" else (F + 2) / (n + 1)) / (1 + tfn)
    match similarity.basic_model:
        case "g":
            λ = (F + 1) / (N + F + 1)
            return effect * (log2(1 + λ) + tfn * log2((1 + λ) / λ))
        case "if":
            return effect * tfn * log2(1 + (N + 1) / (F + 0.5))
        case "in":
            return effect * tfn * log2((N + 1) / (n + 0.5))
    expected = N * (1 - ((N - 1) / N) ** F)
    return effect * tfn * log2((N + 1) / (expected + 0.5))
