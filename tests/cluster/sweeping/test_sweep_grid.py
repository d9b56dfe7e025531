"""Grids of settings."""

from pathlib import Path

import pytest

from askagain.cluster.sweeping.grid import GRIDS, load_grid, parse_grid
from askagain.cluster.sweeping.trials import trials_of
from askagain.errors import SettingsError


def test_every_combination_of_a_table_is_tried_and_tables_follow_each_other() -> None:
    grid = parse_grid(
        'system = "bm25"\n[[settings]]\nk1 = [1, 2]\nb = [0.5]\n[[settings]]\nb = [0.1]\n', "here"
    )

    assert list(grid.combinations()) == [{"k1": 1, "b": 0.5}, {"k1": 2, "b": 0.5}, {"b": 0.1}]


def test_settings_with_a_comma_between_them_get_the_same_value() -> None:
    grid = parse_grid('system = "rcnn"\n[[settings]]\n"a, b" = [0.1, 0.2]\n', "here")

    assert list(grid.combinations()) == [{"a": 0.1, "b": 0.1}, {"a": 0.2, "b": 0.2}]


@pytest.mark.parametrize("name", GRIDS)
def test_the_grids_of_the_package_fit_their_systems(name: str) -> None:
    grid = load_grid(name)

    trials = list(trials_of(grid, {}, grid.seeds))

    assert grid.system == name
    assert len({repr(trial.system) for trial in trials}) * max(t.seed + 1 for t in trials) == len(trials)


def test_the_grid_of_joshi_2016_has_five_runs_of_eighteen_combinations() -> None:
    grid = load_grid("rcnn")

    assert len(list(grid.combinations())) == 3 * 2 * 3
    assert len(list(trials_of(grid, {}, grid.seeds))) == 5 * 18


def test_what_does_not_learn_is_tried_with_one_seed() -> None:
    assert {trial.seed for trial in trials_of(load_grid("lmj"), {}, 5)} == {0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[settings]]\nk1 = [1]", "names no system"),
        ('system = "bm25"', r"at least one \[\[settings\]\]"),
        ('system = "bm25"\n[[settings]]\nk1 = 1', "k1 must be a list"),
        ('system = "bm25"\nsets = 1\n[[settings]]\nk1 = [1]', "nothing is named 'sets'"),
        ('system = "bm25"\nseeds = 0\n[[settings]]\nk1 = [1]', "seeds is 0"),
        ('system = ', "not valid TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_grid_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=f"my.toml.*{message}"):
        parse_grid(text, "my.toml")


def test_a_setting_that_the_system_has_not_is_an_error_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text('system = "bm25"\n[[settings]]\nmu = [1.0]\n')

    with pytest.raises(SettingsError, match="mu"):
        list(trials_of(load_grid(str(tmp_path / "g.toml")), {}, 1))


def test_a_system_that_chooses_its_own_settings_cannot_be_swept() -> None:
    grid = parse_grid('system = "best"\n[[settings]]\n"fusion.depth" = [10]\n', "here")

    with pytest.raises(SettingsError, match="chooses its settings itself"):
        list(trials_of(grid, {}, 1))
