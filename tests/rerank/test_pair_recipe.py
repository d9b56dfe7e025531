"""Recipes of systems that judge pairs: settings that are wrong are refused where they stand."""

import pytest

from askagain.errors import SettingsError
from askagain.rerank.recipe import FeatureSettings, PairSystem
from askagain.systems import load_system, parse_recipe

RECIPE = """
name = "mine"
[judge]
kind = "features"
method = "svm"
features = ["title.jaccard.words"]
"""


def pair_system(recipe: str = RECIPE) -> PairSystem:
    system = parse_recipe(recipe, "mine.toml")
    assert isinstance(system, PairSystem)
    return system


def test_a_recipe_with_a_judge_is_a_system_that_judges_pairs() -> None:
    system = pair_system()
    assert isinstance(system.judge, FeatureSettings)
    assert system.judge.costs == (1.0,)
    assert (system.search.candidates, system.search.depth) == ("bm25", 20)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('kind = "oracle"', "kind is 'oracle': it must be one of features, unimelb, decomposition, vote"),
        ("costs = [0.0]", "costs is 0: it must be from"),
        ("costs = []", "costs is empty"),
        ("features = []", "features is empty"),
        ("folds = 1", "folds is 1"),
        ('says = "maybe"', "must be one of 'scores', 'labels'"),
        ("colour = 1", "no setting is named 'colour'"),
    ],
)
def test_a_wrong_setting_is_named(line: str, message: str) -> None:
    name = line.split(" ")[0]
    kept = [other for other in RECIPE.splitlines() if not other.startswith(f"{name} =")]
    with pytest.raises(SettingsError, match=r"mine\.toml") as error:
        pair_system("\n".join([*kept, line]))
    assert message in str(error.value)


def test_candidates_do_not_come_from_vectors() -> None:
    with pytest.raises(SettingsError, match="its candidates come from bm25"):
        pair_system(f'{RECIPE}[search]\ncandidates = "vectors"')


def test_settings_are_changed_by_their_path() -> None:
    system = load_system("scir-qa").with_parameters(
        {"judge.fitting.epochs": 3.0, "judge.reads": "content", "search.depth": 5.0}
    )
    assert isinstance(system, PairSystem)
    table = system.to_table()
    assert table["judge"]["fitting"]["epochs"] == 3
    assert table["judge"]["reads"] == "content"
    assert table["search"]["depth"] == 5


def test_lists_of_settings_have_a_plus_between_their_parts() -> None:
    system = load_system("svm").with_parameters({"judge.costs": "0.1+1"})
    assert isinstance(system, PairSystem)
    assert isinstance(system.judge, FeatureSettings)
    assert system.judge.costs == (0.1, 1.0)


@pytest.mark.parametrize(
    "name", ["training.rate", "judge.kind", "judge.colour", "judge.fitting.colour", "k1"]
)
def test_a_setting_that_it_has_not_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="no setting is named"):
        load_system("scir-qa").with_parameters({name: 1.0})
