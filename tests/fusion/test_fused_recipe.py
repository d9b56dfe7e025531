"""The recipe of a fused system: what it says, and what is wrong with it in one line."""

import pytest

from askagain.errors import SettingsError
from askagain.fusion.making import fusible_system
from askagain.fusion.recipe import FusedSystem, read_fused_system
from askagain.systems import FUSED_SYSTEMS, load_system, parse_recipe


def parsed(recipe: str) -> FusedSystem:
    system = parse_recipe(recipe, "mine.toml")
    assert isinstance(system, FusedSystem)
    return system


@pytest.mark.parametrize("name", FUSED_SYSTEMS)
def test_a_fused_system_is_the_same_when_its_table_is_read_again(name: str) -> None:
    system = load_system(name)
    assert isinstance(system, FusedSystem)
    assert read_fused_system(system.to_table(), "again") == system


def test_a_recipe_with_a_fusion_is_a_fused_system() -> None:
    system = parsed('[fusion]\nencoders = ["minilm"]\ndepth = 7\n[learning]\nmethods = ["trees"]\nfolds = 3')
    assert system.name == "mine"
    assert (system.fusion.encoders, system.fusion.depth) == (("minilm",), 7)
    assert (system.learning.methods, system.learning.folds) == (("trees",), 3)


def test_what_a_recipe_does_not_say_has_a_default() -> None:
    system = parsed("[fusion]")
    assert system.fusion.encoders == ("shipped",)
    assert system.learning.precision == 0.9


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ("[fusion]\ndepth = 0", r"mine.toml, \[fusion\].*depth is 0: it must be from 1 to 10000"),
        ("[fusion]\nencoders = []", r"mine.toml, \[fusion\].*must name at least one system"),
        ('[fusion]\nencoders = ["shipped", "shipped"]', "at least one system, and each once"),
        ("[fusion]\nspeed = 1", "no setting is named 'speed'"),
        ("colour = 1\n[fusion]", "mine.toml: no setting is named 'colour'; the settings are name,"),
        ("[fusion]\n[learning]\nmethods = []", "methods is empty: name logistic, trees or both"),
        ('[fusion]\n[learning]\nmethods = ["magic"]', r"mine.toml, \[learning\].*'magic'"),
        ("[fusion]\n[learning]\nfolds = 1", "folds is 1: it must be from 2 to 100"),
        ("[fusion]\n[learning]\nqueries = 5", "queries is 5: it must be from 10"),
        ("[fusion]\n[learning]\nprecision = 1.5", "precision is 1.5: it must be from 0"),
        ("[fusion]\n[learning.logistic]\nl2 = 0", "l2 is 0"),
        ("[fusion]\n[sentences]\nspeed = 1", r"mine.toml, \[sentences\]"),
    ],
)
def test_an_error_names_the_recipe_and_the_setting(recipe: str, complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        parse_recipe(recipe, "mine.toml")


def test_settings_from_a_command_line_get_their_types(best: FusedSystem) -> None:
    system = best.with_parameters(
        {
            "fusion.depth": 9.0,
            "fusion.encoders": "shipped+minilm",
            "fusion.tuned": "true",
            "learning.precision": 1,
            "learning.methods": "trees",
            "learning.trees.leaves": 4.0,
        }
    )
    assert (system.fusion.depth, system.fusion.encoders, system.fusion.tuned) == (
        9,
        ("shipped", "minilm"),
        True,
    )
    assert (system.learning.precision, system.learning.methods) == (1.0, ("trees",))
    assert system.learning.trees.leaves == 4


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("depth", r"system best: no setting is named 'depth': write fusion\.…, learning\.… or sentences\.…"),
        ("name", "no setting is named 'name'"),
        ("fusion.speed", "speed"),
        ("learning.trees.speed", "speed"),
    ],
)
def test_a_setting_that_there_is_not_is_refused(name: str, complaint: str, best: FusedSystem) -> None:
    with pytest.raises(SettingsError, match=complaint):
        best.with_parameters({name: 1.0})


def test_without_bodies_it_is_the_same_system(best: FusedSystem) -> None:
    assert best.restricted_to(("title",)) == best


@pytest.mark.parametrize("name", ["shipped", "bow-cnn", "rcnn-pretrained"])
def test_systems_with_an_encoder_are_fused(name: str) -> None:
    assert fusible_system(name).name == name


def test_other_systems_are_not_fused() -> None:
    with pytest.raises(SettingsError, match="bm25 cannot be fused: choose from shipped, minilm, bow-cnn"):
        fusible_system("bm25")
