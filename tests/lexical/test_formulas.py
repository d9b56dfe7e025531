"""Each formula on numbers that can be worked out on paper."""

from math import isfinite, log, log2, sqrt

import numpy as np
import pytest

from askagain.lexical import formulas
from askagain.lexical.formulas import (
    EFFECT_B,
    EFFECT_L,
    MODEL_G,
    MODEL_IF,
    MODEL_IN,
    MODEL_INE,
    RATE_DF,
    RATE_TTF,
    after_effect,
    basic_model,
    collection_probability,
    information_rate,
    smoothed_power_law,
)


def test_bm25_weighs_a_term_by_how_few_questions_hold_it() -> None:
    assert formulas.bm25_term(1.0, 4.0) == pytest.approx(log(10 / 3))
    assert formulas.bm25_term(4.0, 4.0) == pytest.approx(log(10 / 9))


def test_bm25_saturates_the_frequency() -> None:
    assert formulas.bm25(2.0, 1.2, 3.2) == pytest.approx(2.0)
    assert formulas.bm25(255.0, 0.0, 3.2) == pytest.approx(3.2)


def test_tfidf_never_takes_a_term_for_worthless() -> None:
    assert formulas.tfidf_term(1.0, 7.0) == pytest.approx(1 + log(4))
    assert formulas.tfidf_term(7.0, 7.0) == 1.0


def test_tfidf_takes_the_root_of_the_frequency() -> None:
    assert formulas.tfidf(4.0, 0.5, 3.0) == pytest.approx(3.0)


def test_the_collection_holds_an_unseen_term_once() -> None:
    assert collection_probability(0.0, 7.0) == 0.125
    assert collection_probability(1.0, 7.0) == 0.25


def test_dirichlet_gives_what_the_frequency_gains_over_the_length() -> None:
    assert formulas.lm_dirichlet(3.0, log(1 / 2), 1.0) == pytest.approx(log(4 / 2))


def test_dirichlet_does_not_go_below_zero() -> None:
    assert formulas.lm_dirichlet(1.0, log(1 / 8), 1.0) == 0.0


def test_jelinek_mercer() -> None:
    assert formulas.lm_jelinek_mercer(2.0, 1 / 4, 6.0) == pytest.approx(log(4))


def test_the_rate_counts_questions_or_occurrences() -> None:
    assert information_rate(RATE_DF, 1.0, 5.0, 7.0) == 0.25
    assert information_rate(RATE_TTF, 1.0, 5.0, 7.0) == 0.75


def test_the_rate_has_the_32_bits_that_lucene_gives_it() -> None:
    assert information_rate(RATE_DF, 1.0, 1.0, 2.0) == float(np.float32(2 / 3))


def test_a_rate_of_one_is_stepped_over() -> None:
    below, above = information_rate(RATE_DF, 7.0, 7.0, 7.0), information_rate(RATE_TTF, 2.0, 7.0, 7.0)
    assert below == float(np.nextafter(np.float32(1), np.float32(0)))
    assert above == float(np.nextafter(np.float32(1), np.float32(2)))


def test_a_rate_that_rounds_to_one_is_stepped_over() -> None:
    assert information_rate(RATE_DF, 1e9 - 1, 1e9, 1e9) < 1.0
    assert information_rate(RATE_TTF, 1.0, 1e9 - 1, 1e9) > 1.0


def test_log_logistic() -> None:
    assert formulas.log_logistic(3.0, 1.0) == pytest.approx(log(4))
    assert formulas.log_logistic(0.75, 0.25) == pytest.approx(log(4))


def test_smoothed_power_law_with_a_rate_below_and_above_one() -> None:
    assert smoothed_power_law(1.0, 1 / 4) == pytest.approx(log(3))
    assert smoothed_power_law(1.0, 4.0) == pytest.approx(log(3 / 2))


@pytest.mark.parametrize("rate", [1e-9, 0.5, 1 - 2**-24, 1 + 2**-23, 255.0])
def test_smoothed_power_law_stays_finite_where_its_mass_rounds_away(rate: float) -> None:
    assert isfinite(smoothed_power_law(1e18, rate))
    assert smoothed_power_law(1e18, rate) >= smoothed_power_law(1e6, rate)


def test_model_g_is_the_limit_of_bose_einstein() -> None:
    often, difference = basic_model(MODEL_G, 1.0, 1.0, 2.0)
    assert often == pytest.approx(log2(3))
    assert often - difference == pytest.approx(log2(3 / 2))


@pytest.mark.parametrize(
    ("model", "counts", "information"),
    [
        pytest.param(MODEL_IF, (2.0, 3.0, 6.0), log2(1 + 7 / 3.5), id="occurrences"),
        pytest.param(MODEL_IN, (3.0, 9.0, 6.0), log2(7 / 3.5), id="questions"),
        pytest.param(MODEL_INE, (1.0, 1.0, 2.0), log2(3 / 1.5), id="expected questions"),
        pytest.param(MODEL_INE, (1.0, 255.0, 1.0), log2(2 / 1.5), id="expected questions of one"),
    ],
)
def test_inverse_frequency_models_count(model: int, counts: tuple[float, ...], information: float) -> None:
    n, F, N = counts
    assert basic_model(model, n, F, N) == pytest.approx((information, information))


def test_after_effects() -> None:
    assert after_effect(EFFECT_L, 1.0, 4.0) == 1.0
    assert after_effect(EFFECT_B, 1.0, 4.0) == 3.0


def test_divergence_grows_towards_its_first_factor() -> None:
    assert formulas.divergence_from_randomness(1.0, 4.0, 2.0) == 3.0
    assert formulas.divergence_from_randomness(1e12, 4.0, 2.0) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("shape", "factors", "expected"),
    [
        (formulas.BM25, (3.2, 0.0, 0.0), 3.2 * 2 / 2.5),
        (formulas.TFIDF, (3.2, 0.0, 0.0), 3.2 * sqrt(2) * 0.5),
        (formulas.LMD, (3.0, 0.0, 0.0), log(7) + 0.5),
        (formulas.LMJ, (3.0, 0.0, 0.0), log(4)),
        (formulas.LOG_LOGISTIC, (0.5, 0.0, 1.0), log(4)),
        (formulas.SMOOTHED_POWER_LAW, (0.25, 0.0, 0.0), log(3)),
        (formulas.DFR, (4.0, 2.5, 1.0), 3.0),
    ],
)
def test_every_shape_has_its_formula(
    shape: int, factors: tuple[float, float, float], expected: float
) -> None:
    tf, length_factor = 2.0, 0.5
    assert formulas.weight(shape, tf, length_factor, *factors) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shape", "parameters", "factors"),
    [
        (formulas.BM25, [], (log(12 / 3), 0.0, 0.0)),
        (formulas.TFIDF, [], (1 + log(6 / 2), 0.0, 0.0)),
        (formulas.LMD, [100.0], (1 / (100 * 0.25), 0.0, 0.0)),
        (formulas.LMJ, [0.5], (4.0, 0.0, 0.0)),
        (formulas.LOG_LOGISTIC, [800.0, RATE_DF], (np.float32(2 / 6), 0.0, 200.0)),
        (formulas.SMOOTHED_POWER_LAW, [0.0, RATE_TTF], (np.float32(4 / 6), 0.0, 0.0)),
        (formulas.DFR, [0.0, MODEL_IN, EFFECT_B], (5 / 2 * log2(6 / 1.5), 5 / 2 * log2(6 / 1.5), 0.0)),
    ],
)
def test_every_shape_has_its_term_factors(
    shape: int, parameters: list[float], factors: tuple[float, float, float]
) -> None:
    n, F, N, T = 1.0, 3.0, 5.0, 15.0
    assert formulas.term_factors(shape, np.array(parameters), n, F, N, T) == pytest.approx(factors)
