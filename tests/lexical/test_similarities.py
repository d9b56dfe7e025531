"""Similarities as settings, and what holds for the weights of all of them."""

from math import isfinite
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from lexical_cases import (
    Statistics,
    frequencies,
    frequency,
    lengths,
    similarities,
    statistics,
    textbook_weight,
    weight,
)

from askagain.errors import SettingsError
from askagain.lexical.similarities import (
    SIMILARITIES,
    Bm25,
    DivergenceFromRandomness,
    FieldStatistics,
    InformationBased,
    LmDirichlet,
    LmJelinekMercer,
    Similarity,
    TfIdf,
    settings_of,
    similarity,
)

ONE_QUESTION = Statistics(N=1, n=1, F=1, T=1)
TERM_IN_EVERY_QUESTION = Statistics(N=1000, n=1000, F=1000, T=1000)
AS_OFTEN_AS_QUESTIONS = Statistics(N=1000, n=10, F=1000, T=65_535_000)
FREQUENT_TERM = Statistics(N=10**8, n=10**8, F=255 * 10**8, T=65_535 * 10**8)

ROUNDING = 1e-9
"""Far below the room that the search leaves for rounding in its upper bounds."""


# Weights


@given(similarities(least=0.01, most=1e4), frequencies, lengths, statistics())
@example(InformationBased(), 1, 1, ONE_QUESTION)
@example(InformationBased(rate="ttf", distribution="spl"), 1, 1, AS_OFTEN_AS_QUESTIONS)
@example(DivergenceFromRandomness(basic_model="ine"), 1, 1, ONE_QUESTION)
def test_weights_are_those_of_the_textbook(
    similarity: Similarity, tf: int, dl: int, collection: Statistics
) -> None:
    # Beyond, the power law is a difference of nearly equal numbers, of which rounding leaves little.
    assume(not isinstance(similarity, InformationBased) or frequency(similarity, tf, dl, collection) <= 100)
    expected = textbook_weight(similarity, tf, dl, collection)
    assert weight(similarity, tf, dl, collection) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(similarities(), frequencies, lengths, statistics())
@example(InformationBased(), 255, 1, TERM_IN_EVERY_QUESTION)
@example(InformationBased(distribution="spl"), 255, 1, TERM_IN_EVERY_QUESTION)
@example(InformationBased(distribution="spl", rate="ttf"), 255, 1, AS_OFTEN_AS_QUESTIONS)
@example(InformationBased(distribution="spl", rate="ttf"), 255, 1, FREQUENT_TERM)
@example(DivergenceFromRandomness(basic_model="ine"), 1, 1, FREQUENT_TERM)
def test_weights_are_finite_and_not_negative(
    similarity: Similarity, tf: int, dl: int, collection: Statistics
) -> None:
    value = weight(similarity, tf, dl, collection)
    assert isfinite(value)
    assert value >= 0.0


@given(similarities(), frequencies, frequencies, lengths, statistics())
@example(InformationBased(distribution="spl"), 254, 255, 1, TERM_IN_EVERY_QUESTION)
@example(InformationBased(distribution="spl", rate="ttf"), 254, 255, 1, AS_OFTEN_AS_QUESTIONS)
def test_weights_grow_with_the_frequency(
    similarity: Similarity, tf: int, other_tf: int, dl: int, collection: Statistics
) -> None:
    few, many = sorted((tf, other_tf))
    highest = weight(similarity, many, dl, collection)
    assert weight(similarity, few, dl, collection) <= highest * (1 + ROUNDING)


@given(similarities(), frequencies, lengths, lengths, statistics())
@example(InformationBased(distribution="spl"), 255, 1, 2, TERM_IN_EVERY_QUESTION)
@example(InformationBased(distribution="spl", rate="ttf"), 255, 1, 2, AS_OFTEN_AS_QUESTIONS)
def test_weights_shrink_with_the_length(
    similarity: Similarity, tf: int, dl: int, other_dl: int, collection: Statistics
) -> None:
    short, long = sorted((dl, other_dl))
    highest = weight(similarity, tf, short, collection)
    assert weight(similarity, tf, long, collection) <= highest * (1 + ROUNDING)


def test_a_length_of_zero_gives_finite_factors() -> None:
    for kind in SIMILARITIES.values():
        assert np.isfinite(kind().length_factors(np.zeros(1), FieldStatistics(questions=2, terms=10))).all()


def test_a_field_that_no_question_has_gives_finite_factors() -> None:
    for kind in SIMILARITIES.values():
        assert np.isfinite(kind().length_factors(np.ones(1), FieldStatistics(questions=0, terms=0))).all()


def test_the_average_length_is_taken_over_questions_that_have_the_field() -> None:
    assert FieldStatistics(questions=4, terms=10).average_length == 2.5


# Settings


def test_the_six_similarities_have_names() -> None:
    assert set(SIMILARITIES) == {"tfidf", "bm25", "ib", "dfr", "lmd", "lmj"}


def test_a_similarity_is_made_from_its_name_with_defaults() -> None:
    assert similarity("bm25") == Bm25(k1=1.2, b=0.75)
    assert similarity("lmd") == LmDirichlet(mu=2000.0)
    assert similarity("lmj") == LmJelinekMercer(smoothing=0.1)
    assert similarity("ib") == InformationBased(distribution="ll", rate="df", normalisation="h2")
    assert similarity("dfr") == DivergenceFromRandomness(
        basic_model="in", after_effect="l", normalisation="h2"
    )


def test_parameters_are_named_options() -> None:
    assert similarity("bm25", {"k1": 2, "b": 0.5}) == Bm25(k1=2.0, b=0.5)


def test_settings_of_a_similarity_are_plain_values() -> None:
    assert settings_of(TfIdf()) == {"name": "tfidf"}
    assert settings_of(Bm25(k1=0.9)) == {"name": "bm25", "k1": 0.9, "b": 0.75}
    assert settings_of(InformationBased()) == {
        "name": "ib",
        "distribution": "ll",
        "rate": "df",
        "normalisation": "h2",
    }


@given(similarities())
def test_settings_make_the_same_similarity_again(chosen: Similarity) -> None:
    settings = settings_of(chosen)
    assert similarity(settings.pop("name"), settings) == chosen


@pytest.mark.parametrize("name", ["bm26", "", "BM25", ["bm25"]])
def test_an_unknown_name_gives_the_known_ones(name: Any) -> None:
    with pytest.raises(SettingsError) as error:
        similarity(name)
    assert str(error.value) == (
        f"similarity = {name!r} is not possible: it must be one of tfidf, bm25, ib, dfr, lmd, lmj"
    )


def test_an_unknown_parameter_gives_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"^bm25 has no parameter 'k2': it has k1, b$"):
        similarity("bm25", {"k2": 1.0})
    with pytest.raises(SettingsError, match=r"^tfidf has no parameter 'k1': it has none$"):
        similarity("tfidf", {"k1": 1.0})


@pytest.mark.parametrize(
    ("name", "parameter", "value", "allowed"),
    [
        ("bm25", "k1", -0.1, "from 0 to 1e+09"),
        ("bm25", "k1", float("nan"), "from 0 to 1e+09"),
        ("bm25", "k1", float("inf"), "from 0 to 1e+09"),
        ("bm25", "k1", 10**400, "from 0 to 1e+09"),
        ("bm25", "k1", "1.2", "a number"),
        ("bm25", "k1", True, "a number"),
        ("bm25", "b", 1.01, "from 0 to 1"),
        ("bm25", "b", None, "a number"),
        ("lmd", "mu", 0.0, "from 1e-09 to 1e+09"),
        ("lmj", "smoothing", 0, "from 1e-09 to 1"),
        ("lmj", "smoothing", 1.5, "from 1e-09 to 1"),
        ("ib", "distribution", "LL", "one of ll, spl"),
        ("ib", "distribution", ["ll"], "one of ll, spl"),
        ("ib", "rate", 1, "one of df, ttf"),
        ("ib", "normalisation", "h4", "one of h1, h2, h3, z, none"),
        ("dfr", "basic_model", "be", "one of g, if, in, ine"),
        ("dfr", "after_effect", "none", "one of l, b"),
        ("dfr", "normalisation", None, "one of h1, h2, h3, z, none"),
        ("dfr", "parameter", "2", "a number"),
    ],
)
def test_an_impossible_value_is_named_with_what_is_possible(
    name: str, parameter: str, value: object, allowed: str
) -> None:
    with pytest.raises(SettingsError) as error:
        similarity(name, {parameter: value})
    assert str(error.value) == f"{parameter} = {value!r} is not possible: it must be {allowed}"


def test_the_parameter_of_a_normalisation_is_checked() -> None:
    with pytest.raises(SettingsError, match=r"parameter of normalisation z = 0\.5 is not possible"):
        similarity("dfr", {"normalisation": "z", "parameter": 0.5})


@pytest.mark.parametrize(
    ("name", "value"),
    [("bm25", {"k1": 0}), ("bm25", {"b": 0}), ("bm25", {"b": 1}), ("lmj", {"smoothing": 1})],
)
def test_limits_are_possible(name: str, value: dict[str, float]) -> None:
    assert isfinite(weight(similarity(name, value), 1, 1, ONE_QUESTION))


def test_similarities_with_equal_parameters_are_one_key() -> None:
    assert len({Bm25(), Bm25(k1=1.2), Bm25(k1=1.3)}) == 2
