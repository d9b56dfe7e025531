"""The default system from the command line: taught by marks, silent below its threshold, reported."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from executable import askagain

from commands import json_of

QUICK = ["--set", "learning.methods=logistic", "--set", "fusion.depth=20"]
RICE = "Rice stood out overnight"


@pytest.fixture(scope="session")
def taught(sample_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The sample forum with a system that has learned from its marks, and what the training printed."""
    path = tmp_path_factory.mktemp("best") / "forum.db"
    shutil.copy(sample_archive, path)
    return path, json_of("train", "best", "--archive", path, *QUICK)


def test_training_tells_how_the_order_was_chosen_and_how_good_the_probabilities_are(
    taught: tuple[Path, dict[str, Any]],
) -> None:
    told = taught[1]

    assert told["chosen"] in told["map"]
    assert told["calibration"]["ece"] < 0.05
    assert told["calibration"]["wished_precision"] == 0.9


def test_the_model_has_a_card_and_pictures_of_its_probabilities(taught: tuple[Path, dict[str, Any]]) -> None:
    folder = Path(f"{taught[0]}.models") / "best"

    assert {"card.md", "reliability.svg", "precision-recall.svg"} <= {file.name for file in folder.iterdir()}


def test_nothing_is_said_below_the_threshold_unless_asked_for(taught: tuple[Path, dict[str, Any]]) -> None:
    path, told = taught
    threshold = told["calibration"]["threshold"]

    usual = json_of("search", RICE, "--archive", path)["matches"]
    every = json_of("search", RICE, "--archive", path, "--min-probability", "0")["matches"]

    assert [match["id"] for match in usual] == [
        match["id"] for match in every if match["probability"] >= threshold
    ]
    assert len(every) == 10


def test_without_training_it_searches_as_it_ships(sample_archive: Path) -> None:
    found = json_of("search", RICE, "--archive", sample_archive, "--system", "best")

    assert found["matches"][0]["id"] == "cooking-10"
    assert found["matches"][0]["probability"] > 2 * found["matches"][1]["probability"]


def test_an_encoder_of_the_forum_itself_joins_on_request(sample_archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "forum.db"
    shutil.copy(sample_archive, path)

    told = json_of(
        "train", "best", "--archive", path, *QUICK, "--set", "fusion.encoders=shipped+bow-cnn-small"
    )
    found = json_of("search", RICE, "--archive", path, "--min-probability", "0", "--explain")["matches"]

    assert told["chosen"] == "logistic"
    assert "cooking-10" in {match["id"] for match in found}
    assert "bow-cnn-small" in {reason["term"] for match in found for reason in match["reasons"]}


def test_it_is_measured_on_a_set_without_marks_to_learn_from(data_dir: Path) -> None:
    measured = json_of("evaluate", data_dir / "english", "--fields", "title", "--system", "best,bm25")

    assert measured["systems"]["best"]["acc@10"] > measured["systems"]["bm25"]["acc@10"]


def test_the_report_is_a_page(taught: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    recipe = tmp_path / "quick.toml"
    recipe.write_text(
        'name = "quick"\n[fusion]\nencoders = ["shipped"]\ndepth = 10\n[learning]\nmethods = ["logistic"]\n'
    )
    page = tmp_path / "report.html"

    askagain("report", "--archive", taught[0], "--system", recipe, "--out", page, check=True)

    assert "<svg" in page.read_text()
