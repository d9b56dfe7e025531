"""Systems that judge pairs, from the command line: trained on an archive, and measured on SemEval's lists."""

import shutil
from pathlib import Path

import pytest

from commands import json_of, refused, succeeded


@pytest.fixture(scope="session")
def judged_archive(sample_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample forum with a trained SS2."""
    path = tmp_path_factory.mktemp("judged") / "forum.db"
    shutil.copy(sample_archive, path)
    succeeded("train", "unimelb-ss2", "--archive", path)
    return path


def test_the_archive_is_searched_with_the_judge(judged_archive: Path) -> None:
    found = json_of("search", "Rice stood out overnight", "--archive", judged_archive, "--explain")
    assert found["system"] == "unimelb-ss2"
    assert {match["score"] for match in found["matches"]} <= {0.0, 1.0}
    assert {reason["term"] for reason in found["matches"][0]["reasons"]} >= {"jaccard.words", "dice.words"}
    assert all("rice" in match["reason"] for match in found["matches"])


def test_settings_of_encoders_are_not_those_of_judges(sample_archive: Path) -> None:
    error = refused("train", "svm", "--archive", sample_archive, "--set", "training.rate=1")
    assert "system svm: no setting is named 'training.rate'" in error


def test_labels_of_semeval_are_learned_and_measured(data_dir: Path, tmp_path: Path) -> None:
    run = tmp_path / "dev.pred"
    measured = json_of(
        "evaluate", data_dir / "semeval", "--split", "dev", "--system", "unimelb-ss1", "--run", run
    )
    assert list(measured["systems"]) == ["unimelb-ss1", "given"], "the engine's order is compared with"
    figures = measured["systems"]["unimelb-ss1"]
    # U16, table 2: MAP 70.06, accuracy 68.80.
    assert figures["map"] > 69.06
    assert figures["acc"] == pytest.approx(68.8, abs=1)
    assert len(run.read_text().splitlines()) == 500


def test_dev_cannot_be_learned_from_and_measured(data_dir: Path) -> None:
    error = refused("evaluate", data_dir / "semeval", "--split", "dev", "--system", "svm", "--with-dev")
    assert "--with-dev learns from the split that is measured" in error


def test_settings_are_chosen_by_cross_validation_on_train(data_dir: Path, tmp_path: Path) -> None:
    run = tmp_path / "train.pred"
    measured = json_of(
        "evaluate", data_dir / "semeval", "--system", "unimelb-ss1", "--folds", "3", "--fields", "title",
        "--run", run,
    )  # fmt: skip
    assert measured["split"] == "train"
    assert {line.split("\t")[3] for line in run.read_text().splitlines()} == {"0.0", "1.0"}
    assert measured["systems"]["given"]["map"] == pytest.approx(65.32, abs=0.01)
    assert measured["systems"]["unimelb-ss1"]["acc"] > 65


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--with-dev"], "leave --with-dev out"),
        (["--rerank", "20"], "leave --rerank out"),
        (["--system", "bow-cnn"], "--folds is for judges of pairs, and bow-cnn is an encoder"),
    ],
)
def test_what_cannot_be_cross_validated_is_said(data_dir: Path, arguments: list[str], error: str) -> None:
    assert error in refused("evaluate", data_dir / "semeval", "--folds", "3", *arguments)
