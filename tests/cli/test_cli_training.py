"""`askagain train` on the sample forum: what it takes, and what it says."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askagain.cli.training import EpochLines, described, trainable
from askagain.training.checkpoints import Epoch

RECIPE = """
[[parts]]
kind = "bow"
fields = "title"

[training]
epochs = 0

[search]
"""


@pytest.fixture
def archive(sample_archive: Path, tmp_path: Path) -> Path:
    """An archive of one's own, to train on."""
    return Path(shutil.copy(sample_archive, tmp_path / "forum.db"))


def recipe(folder: Path, search: str) -> Path:
    """The file of a system that learns at once, with these settings of its search."""
    path = folder / "own.toml"
    path.write_text(RECIPE + search)
    return path


def test_settings_of_the_search_are_not_for_training(archive: Path, refused: Callable[..., str]) -> None:
    told = refused("train", "rcnn-small", "--archive", archive, "--set", "search.depth=5")

    assert "--set search.depth would be forgotten" in told
    assert "[search] in a recipe.toml" in told


def test_every_search_reads_the_settings_of_a_recipe(
    archive: Path, tmp_path: Path, succeeded: Callable[..., str], json_of: Callable[..., Any]
) -> None:
    def found(settings: str) -> int:
        recipe(tmp_path, settings)
        return len(json_of("search", "Hollandaise", "--archive", archive, "-k", 300)["matches"])

    succeeded("train", recipe(tmp_path, 'candidates = "vectors"'), "--archive", archive)

    assert found('candidates = "bm25"') < found('candidates = "vectors"') == 300


def test_training_again_leaves_the_vectors_of_one_model(
    archive: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    def vectors(title: str) -> list[Path]:
        succeeded("train", file, "--archive", archive)
        succeeded("search", title, "--archive", archive)
        return list(archive.parent.glob("forum.db.*.vectors"))

    file = recipe(tmp_path, 'candidates = "vectors"')
    [first] = vectors("rice")
    file.write_text(file.read_text().replace('"title"', '"joined"'))

    [second] = vectors("rice")

    assert first != second


def test_pre_training_tells_its_own_rest(capsys: pytest.CaptureFixture[str]) -> None:
    epochs = {"pretraining.epochs": 4, "training.epochs": 6}
    lines = EpochLines(trainable("rcnn-pretrained").with_parameters(epochs), measured=True)

    lines.show(Epoch("pre-training", 1, loss=2.0, seconds=60.0, questions_per_second=90.0, perplexity=9.0))
    lines.show(Epoch("fine-tuning", 5, loss=1.0, seconds=60.0, questions_per_second=90.0, dev=50.0))

    told = [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()]
    assert told == [
        "loss 2.0000, perplexity 9.0, 90 questions/s, at most 3.0 min of pre-training left",
        "loss 1.0000, dev MRR 50.00%, 90 questions/s, at most 1.0 min left",
    ]


def test_without_a_dev_set_there_are_fewer_epochs_to_come(capsys: pytest.CaptureFixture[str]) -> None:
    lines = EpochLines(trainable("rcnn").with_parameters({"training.epochs": 100}), measured=False)

    lines.show(Epoch("fine-tuning", 8, loss=1.0, seconds=60.0, questions_per_second=90.0))

    assert "at most 2.0 min left" in capsys.readouterr().err


def test_one_is_not_told_as_many() -> None:
    assert described(1, 1, 1) == "learning from 1 question and 1 marked pair; 1 question to measure with"
    assert described(2000, 0, 0) == (
        "learning from 2,000 questions and 0 marked pairs; too few marks to measure with"
    )
