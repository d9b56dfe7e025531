"""`askagain use`: which system searches an archive if none is named."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askagain.trained import choose_system, model_folder, trained_system


@pytest.fixture
def archive(sample_archive: Path, tmp_path: Path) -> Path:
    """An archive that a model was trained on: its folder is all that counts here."""
    path = Path(shutil.copy(sample_archive, tmp_path / "forum.db"))
    model_folder(path, "rcnn-small").mkdir(parents=True)
    choose_system(path, "rcnn-small")
    return path


def test_after_a_training_one_can_go_back(
    archive: Path, succeeded: Callable[..., str], json_of: Callable[..., Any]
) -> None:
    told = succeeded("use", "bm25", "--archive", archive)

    assert told == f"From now on {archive} is searched with bm25.\n"
    assert json_of("search", "rice", "--archive", archive)["system"] == "bm25"


@pytest.mark.parametrize("system", ["best", "shipped"])
def test_what_has_learned_elsewhere_can_be_chosen_without_a_training(
    system: str, archive: Path, succeeded: Callable[..., str], json_of: Callable[..., Any]
) -> None:
    succeeded("use", system, "--archive", archive)

    assert json_of("search", "rice", "--archive", archive)["system"] == system


def test_a_trained_system_can_be_chosen_again(archive: Path, succeeded: Callable[..., str]) -> None:
    succeeded("use", "tfidf", "--archive", archive)
    succeeded("use", "rcnn-small", "--archive", archive)

    assert trained_system(archive) == "rcnn-small"


def test_a_recipe_is_found_from_any_folder(
    archive: Path, tmp_path: Path, succeeded: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "steep.toml").write_text("[similarity]\nk1 = 0.4\n")
    monkeypatch.chdir(tmp_path)

    succeeded("use", "steep.toml", "--archive", archive)

    assert trained_system(archive) == str(tmp_path / "steep.toml")


@pytest.mark.parametrize(
    ("system", "complaint"),
    [
        ("bm26", "no system is named 'bm26'"),
        ("nowhere.toml", "cannot read the recipe nowhere.toml"),
        ("cnn", "make one with askagain train cnn --archive"),
    ],
)
def test_what_cannot_search_cannot_be_chosen(
    system: str, complaint: str, archive: Path, refused: Callable[..., str]
) -> None:
    assert complaint in refused("use", system, "--archive", archive)
    assert trained_system(archive) == "rcnn-small"


def test_an_archive_that_does_not_exist_is_not_made(tmp_path: Path, refused: Callable[..., str]) -> None:
    assert "does not exist" in refused("use", "bm25", "--archive", tmp_path / "forum.db")
    assert list(tmp_path.iterdir()) == []
