"""Names of systems: whatever a recipe says, a model's folder stays where it belongs."""

from pathlib import Path

import pytest

from askagain.errors import SettingsError
from askagain.naming import system_name
from askagain.systems import load_system, parse_recipe

POSSIBLE = ["a", "7", "rcnn-small", "bow-cnn, softmax, idf frozen", "v1.2_b", "größer", "x" * 100, "名" * 33]
IMPOSSIBLE = [
    "", ".", "..", ".hidden", "a/b", "a/../../b", "/etc", "a\\b", "a\0b", "a\nb", "a\n", "a:b", "x" * 101,
    "x" * 300, "名" * 34, "chosen", "rcnn.training", 3, True, ["a"],
]  # fmt: skip


@pytest.mark.parametrize("name", POSSIBLE)
def test_a_recipe_has_the_name_that_it_gives(name: str) -> None:
    assert system_name({"name": name}, "mine.toml") == name


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_name_that_no_folder_should_have_is_refused(name: object) -> None:
    with pytest.raises(SettingsError, match=r"^mine\.toml: the name .* is not possible"):
        system_name({"name": name}, "mine.toml")


@pytest.mark.parametrize("rest", ["", "[[parts]]\nkind = 'bow'"], ids=["lexical", "learning"])
def test_recipes_of_both_kinds_are_held_to_it(rest: str) -> None:
    with pytest.raises(SettingsError, match="is not possible"):
        parse_recipe(f"name = 'a/../../b'\n{rest}", "mine.toml")


@pytest.mark.parametrize("rest", ["", "[[parts]]\nkind = 'bow'"], ids=["lexical", "learning"])
@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine.toml", "mine"),
        ("my recipe, v1.2.toml", "my recipe, v1.2"),
        ("what?! (new).toml", "what__ _new_"),
        ("..toml", "_"),
        (".hidden.toml", "_hidden"),
        ("é" * 120 + ".toml", "é" * 50),
    ],
)
def test_without_a_name_it_is_the_files_as_far_as_possible(
    rest: str, file: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_text(rest)
    assert load_system(str(tmp_path / file)).name == name
