"""Recipes: what a TOML file says, and what is wrong with it in one line."""

from pathlib import Path

import pytest

from askagain.errors import SettingsError
from askagain.lexical.recipe import LexicalSystem
from askagain.systems import LEXICAL_SYSTEMS, SYSTEMS, load_system, parse_recipe


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_of_the_package_has_a_recipe_of_its_name(name: str) -> None:
    system = load_system(name)
    assert system.name == name
    assert system.description


@pytest.mark.parametrize("name", LEXICAL_SYSTEMS)
def test_a_lexical_system_has_the_similarity_of_its_name(name: str) -> None:
    system = load_system(name)
    assert isinstance(system, LexicalSystem)
    assert system.similarity["name"] == name


def test_what_a_recipe_does_not_say_has_a_default() -> None:
    system = parse_recipe("", "mine.toml")
    assert system.name == "mine"
    assert system.similarity == {"name": "bm25"}
    assert system.fields == {"title": 1.0, "body": 1.0}
    assert system.most_terms is None


def test_parameters_without_a_name_are_those_of_the_default_similarity() -> None:
    assert parse_recipe("[similarity]\nk1 = 1.0", "mine.toml").similarity == {"name": "bm25", "k1": 1.0}


def test_a_recipe_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "steep.toml"
    file.write_text('[similarity]\nname = "bm25"\nk1 = 0.4\n[fields]\ntext = 2\n[options]\nmost_terms = 20\n')
    system = load_system(str(file))
    assert system.similarity["k1"] == 0.4
    assert system.fields == {"text": 2.0}
    assert system.most_terms == 20


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ("colour = 1", "unknown setting 'colour'"),
        ("similarity = 3", r"must be a table, written as \[similarity\]"),
        ("[fields]\ntitle = 0", "weight 0 of field title must be a number from 1e-06"),
        ("[fields]\ntitle = true", "weight True of field title"),
        ("[fields]\ntitle = nan", "weight nan of field title"),
        ("[fields]\ntitle = inf", "weight inf of field title"),
        ("[fields]\ntitle = 1e-40", "weight 1e-40 of field title"),
        ("[fields]\ntitle = 1" + 400 * "0", "weight 10000000000000000000 of field title"),
        ("[options]\nmost_terms = 0", "most_terms = 0 must be a whole number from 1 to 20000"),
        ("[options]\nmost_terms = true", "most_terms = True must be a whole number"),
        ("[options]\nmost_terms = 100000", "most_terms = 100000 must be a whole number"),
        ("[options]\ncoarse_lengths = 'false'", "coarse_lengths = 'false' must be true or false"),
        ("[options]\nspeed = 1", "unknown setting 'speed'"),
        ("[analyzer]\nstemmer = 'klingon'", "klingon"),
        ("[", "not valid TOML"),
    ],
)
def test_an_error_names_the_recipe_and_the_setting(recipe: str, complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        parse_recipe(recipe, "mine.toml")


@pytest.mark.parametrize("name", ["bm26", "nowhere.toml"])
def test_an_unknown_system_is_an_error_that_names_it(name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_system(name)


def test_a_system_can_be_restricted_to_some_of_its_fields() -> None:
    assert load_system("bm25").restricted_to(("title",)).fields == {"title": 1.0}


def test_one_field_of_title_and_body_stays_whatever_the_restriction() -> None:
    system = parse_recipe("[fields]\ntext = 1", "mine.toml")
    assert system.restricted_to(("title",)).fields == {"text": 1.0}


def test_a_system_without_any_of_the_fields_is_an_error() -> None:
    system = parse_recipe("[fields]\nbody = 1", "mine.toml")
    with pytest.raises(SettingsError, match="none of the fields title"):
        system.restricted_to(("title",))


def test_other_parameters_leave_the_recipe_as_it_was() -> None:
    system = load_system("bm25")
    assert system.with_parameters({"k1": 3}).similarity["k1"] == 3
    assert system.similarity["k1"] == 1.2
