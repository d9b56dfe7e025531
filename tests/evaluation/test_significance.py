"""Intervals that cover, tests that keep their level, and both the same on every call."""

import numpy as np
import pytest

from askagain.evaluation.metrics import LEI_METRICS, SEMEVAL_METRICS, FloatArray, Judged, Rows, all_rows
from askagain.evaluation.significance import bootstrap_intervals, holm, randomisation_p_values

P1 = tuple(metric for metric in LEI_METRICS if metric.name == "p@1")
POOLED = tuple(metric for metric in SEMEVAL_METRICS if metric.name in ("avgrec", "f1"))


def mean_rows(values: FloatArray) -> Rows:
    """Rows of a mean metric whose values per query are given."""
    return {"p@1": np.stack([values, np.ones(len(values))], axis=1)}


def pooled_rows(rng: np.random.Generator, quality: float, queries: int = 40) -> Rows:
    """Rankings of ten whose scores and labels agree with the truth more often, the higher `quality` is."""
    rankings = []
    for _ in range(queries):
        truth = rng.random(10) < 0.4
        evidence = rng.normal(size=10) + quality * truth
        order = np.argsort(-evidence)
        rankings.append(Judged(truth[order], int(truth.sum()), (evidence > quality / 2)[order]))
    return all_rows(POOLED, rankings)


def p_value(first: Rows, second: Rows, permutations: int = 1000) -> float:
    p_values = randomisation_p_values(P1, {"a": first, "b": second}, permutations=permutations)
    return p_values["p@1"]["a", "b"]


def test_interval_of_a_mean_is_close_to_the_normal_approximation() -> None:
    values = np.random.default_rng(1).random(500)
    low, high = bootstrap_intervals(P1, mean_rows(values), resamples=4000)["p@1"]
    margin = 1.96 * values.std() / np.sqrt(500)
    assert (low, high) == pytest.approx((values.mean() - margin, values.mean() + margin), abs=0.003)


def test_95_percent_of_intervals_cover_the_true_mean() -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(300):
        low, high = bootstrap_intervals(P1, mean_rows(rng.random(100)), resamples=300)["p@1"]
        covered += low <= 0.5 <= high
    assert 0.90 <= covered / 300 <= 0.98


def test_interval_of_a_pooled_metric_holds_its_value() -> None:
    rows = pooled_rows(np.random.default_rng(3), quality=1.0)
    for metric in POOLED:
        low, high = bootstrap_intervals(POOLED, rows)[metric.name]
        assert low < metric.value(rows[metric.name]) < high


def test_interval_of_a_perfect_system_is_a_point() -> None:
    assert bootstrap_intervals(P1, mean_rows(np.ones(30)))["p@1"] == (1.0, 1.0)


def test_intervals_are_the_same_on_every_call_with_one_seed() -> None:
    rows = mean_rows(np.random.default_rng(4).random(50))
    assert bootstrap_intervals(P1, rows, seed=7) == bootstrap_intervals(P1, rows, seed=7)


def test_intervals_of_other_seeds_differ() -> None:
    rows = mean_rows(np.random.default_rng(4).random(50))
    assert bootstrap_intervals(P1, rows, seed=7) != bootstrap_intervals(P1, rows, seed=8)


def test_p_value_matches_all_sign_flips_counted_out() -> None:
    # Differences 1, 1, 1, 1: of the 16 flips only +4 and -4 are as large as the real sum, so p = 2/16.
    p = p_value(mean_rows(np.ones(4)), mean_rows(np.zeros(4)), permutations=50_000)
    assert p == pytest.approx(2 / 16, abs=0.005)


def test_p_value_of_a_clear_difference_is_as_small_as_the_permutations_allow() -> None:
    rng = np.random.default_rng(5)
    values = rng.random(200)
    assert p_value(mean_rows(values + 0.3), mean_rows(values)) == pytest.approx(1 / 1001)


def test_p_value_of_equal_systems_is_one() -> None:
    rows = mean_rows(np.random.default_rng(6).random(50))
    assert p_value(rows, rows) == 1.0


def test_p_value_does_not_depend_on_which_system_comes_first() -> None:
    rng = np.random.default_rng(7)
    first, second = mean_rows(rng.random(50)), mean_rows(rng.random(50))
    assert p_value(first, second) == p_value(second, first)


def test_p_values_are_evenly_spread_when_the_systems_are_equally_good() -> None:
    rng = np.random.default_rng(8)
    p_values = [p_value(mean_rows(rng.random(40)), mean_rows(rng.random(40)), 300) for _ in range(400)]
    shares = np.histogram(p_values, bins=4, range=(0, 1))[0] / 400
    assert shares == pytest.approx([0.25] * 4, abs=0.07)


@pytest.mark.parametrize("metric", ["avgrec", "f1"])
def test_swap_test_of_a_pooled_metric_keeps_its_level(metric: str) -> None:
    rng = np.random.default_rng(9)
    false_alarms = 0
    for _ in range(200):
        systems = {"a": pooled_rows(rng, 1.0, 15), "b": pooled_rows(rng, 1.0, 15)}
        false_alarms += randomisation_p_values(POOLED, systems, permutations=200)[metric]["a", "b"] < 0.05
    assert false_alarms <= 20


@pytest.mark.parametrize("metric", ["avgrec", "f1"])
def test_swap_test_of_a_pooled_metric_sees_a_clear_difference(metric: str) -> None:
    rng = np.random.default_rng(10)
    systems = {"good": pooled_rows(rng, 3.0), "bad": pooled_rows(rng, 0.1)}
    assert randomisation_p_values(POOLED, systems, permutations=1000)[metric]["good", "bad"] < 0.01


def test_every_pair_of_systems_is_tested() -> None:
    rng = np.random.default_rng(11)
    systems = {name: mean_rows(rng.random(20)) for name in "abc"}
    p_values = randomisation_p_values(P1, systems, permutations=100)
    assert list(p_values["p@1"]) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_p_value_of_a_pair_does_not_depend_on_the_other_systems() -> None:
    rng = np.random.default_rng(12)
    systems = {name: mean_rows(rng.random(20)) for name in "abc"}
    p_values = randomisation_p_values(P1, systems, permutations=1000)
    assert p_values["p@1"]["a", "c"] == p_value(systems["a"], systems["c"])


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    p_values = {("a", "b"): 0.01, ("a", "c"): 0.04, ("b", "c"): 0.015}
    assert holm(p_values) == pytest.approx({("a", "b"): 0.03, ("b", "c"): 0.03, ("a", "c"): 0.04})


def test_holm_never_exceeds_one_nor_reorders() -> None:
    corrected = holm({("a", "b"): 0.6, ("a", "c"): 0.5, ("b", "c"): 0.9})
    assert corrected == {("a", "c"): 1.0, ("a", "b"): 1.0, ("b", "c"): 1.0}
