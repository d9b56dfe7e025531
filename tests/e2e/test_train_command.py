"""`askagain train`, and searching and measuring with what it made."""

import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from executable import ASKAGAIN, askagain, environment

from askagain.systems import ENCODER_SYSTEMS
from commands import in_this_process, json_of, refused, succeeded
from running_service import running_service

QUICK = ["--set", "training.epochs=2", "--set", "parts.words.dimension=16"]


class Training(NamedTuple):
    """An archive with the model that the executable has trained on it, and what it said meanwhile."""

    archive: Path
    said: str


@pytest.fixture(scope="session")
def training(sample_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A small BOW-CNN, trained on the sample forum."""
    path = tmp_path_factory.mktemp("trained") / "forum.db"
    shutil.copy(sample_archive, path)
    return Training(path, askagain("train", "bow-cnn-small", "--archive", path, *QUICK, check=True).stderr)


@pytest.fixture(scope="session")
def trained_archive(training: Training) -> Path:
    return training.archive


def test_the_model_lies_beside_the_archive_with_a_card_and_a_curve(trained_archive: Path) -> None:
    folder = Path(f"{trained_archive}.models") / "bow-cnn-small"

    names = {file.name for file in folder.iterdir()}

    assert names == {"config.toml", "weights.safetensors", "vocabulary", "card.md", "finetuning.svg"}
    assert "357" in (folder / "card.md").read_text()


def test_the_archive_is_then_searched_with_it(trained_archive: Path) -> None:
    found = json_of("search", "Rice stood out overnight", "--archive", trained_archive, "--explain")

    assert found["system"] == "bow-cnn-small"
    assert found["matches"][0]["id"] == "cooking-10"
    assert found["matches"][0]["reason"].startswith("same: ")
    assert found["matches"][0]["reasons"]


def test_another_system_can_be_named(trained_archive: Path) -> None:
    found = json_of("search", "Rice stood out overnight", "--archive", trained_archive, "--system", "bm25")

    assert found["system"] == "bm25"


def test_every_epoch_is_reported(training: Training) -> None:
    assert "fine-tuning, epoch 2: loss" in training.said
    assert "dev MRR" in training.said


@pytest.mark.parametrize("system", ENCODER_SYSTEMS)
def test_whatever_was_trained_is_searched_with_explained_and_measured(
    system: str, sample_archive: Path, tmp_path: Path
) -> None:
    name, model = f"{system}-small", tmp_path / "model"
    pretrained = ["--set", "pretraining.epochs=1"] if system.endswith("-pretrained") else []
    quick = ["--set", "training.epochs=1", *pretrained]
    succeeded("train", name, "--archive", sample_archive, "--out", model, *quick)

    asked = ("search", "Rice stood out overnight", "--archive", sample_archive, "--explain")
    found = json_of(*asked, "--system", name, "--model", model)

    assert found["matches"]
    assert all(match["reason"] and match["reasons"] for match in found["matches"])

    measure = ("evaluate", small_set(tmp_path / "set"), "--split", "test", "--rerank", "5")
    measured = json_of(*measure, "--system", name, "--model", model)

    assert 0 < measured["systems"][name]["map"] <= 100


def test_whatever_was_trained_is_served(trained_archive: Path) -> None:
    with running_service(trained_archive) as service:
        reply = httpx.post(f"{service.url}/v1/similar", json={"title": "Rice stood out overnight"}).json()

    assert reply["system"] == "bow-cnn-small"
    assert reply["matches"][0]["id"] == "cooking-10"


def test_a_model_elsewhere_is_given_by_its_folder(trained_archive: Path, sample_archive: Path) -> None:
    folder = Path(f"{trained_archive}.models") / "bow-cnn-small"

    printed = succeeded(
        "search", "Rice stood out overnight", "--archive", sample_archive,
        "--system", "bow-cnn-small", "--model", folder,
    )  # fmt: skip

    assert "cooking-10" in printed


def test_an_interrupted_training_goes_on_to_the_same_model(sample_archive: Path, tmp_path: Path) -> None:
    def command(out: Path) -> list[str]:
        long = ["--set", "training.epochs=30", "--set", "training.patience=30"]
        return ["train", "cnn-small", "--archive", str(sample_archive), "--out", str(out), *long]

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    succeeded(*command(whole))
    checkpoint = tmp_path / "broken.training" / "finetuning.safetensors"
    process = subprocess.Popen(
        [ASKAGAIN, *command(broken)], env=environment(), stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert not broken.exists()

    succeeded(*command(broken))

    assert (broken / "weights.safetensors").read_bytes() == (whole / "weights.safetensors").read_bytes()


def test_a_lexical_system_has_nothing_to_learn(sample_archive: Path) -> None:
    assert "bm25 has nothing to learn" in refused("train", "bm25", "--archive", sample_archive)


def test_a_system_without_a_model_says_how_to_get_one(sample_archive: Path) -> None:
    told = refused("search", "rice", "--archive", sample_archive, "--system", "rcnn")

    assert "askagain train rcnn --archive" in told


def test_an_unknown_setting_is_named(sample_archive: Path) -> None:
    told = refused("train", "rcnn-small", "--archive", sample_archive, "--set", "training.colour=3")

    assert "no setting is named 'colour'" in told


def test_evaluation_trains_on_the_set_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKAGAIN_CACHE", str(tmp_path / "cache"))
    folder = small_set(tmp_path / "set")
    arguments = ("evaluate", folder, "--split", "test", "--system", "cnn-small", *QUICK[:2])

    first, second = in_this_process(*arguments, "--json"), in_this_process(*arguments, "--json")

    assert "training cnn-small on set" in first.stderr
    assert "training" not in second.stderr
    assert '"cnn-small"' in first.stdout


def test_lists_of_candidates_can_be_reordered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKAGAIN_CACHE", str(tmp_path / "cache"))
    folder = small_set(tmp_path / "set")

    found = json_of(
        "evaluate",
        folder,
        "--split",
        "test",
        "--rerank",
        "5",
        "--system",
        "given,oracle,rcnn-small",
        *QUICK[:2],
    )

    assert set(found["systems"]) == {"given", "oracle", "rcnn-small"}
    assert found["systems"]["oracle"]["map"] == 100.0
    assert {"map", "mrr", "p@1", "p@5"} <= set(found["systems"]["given"])


def small_set(folder: Path) -> Path:
    """The sample forum as a question set with a train and a test split."""
    from askagain.question import Verdict
    from askagain.sample import forum
    from askagain.sources.jsonl import dump_record

    folder.mkdir()
    lines = [dump_record(question) for question in forum.questions()]
    (folder / "questions.jsonl").write_text("".join(f"{line}\n" for line in lines))
    pairs = [mark for mark in forum.marks() if mark.verdict is Verdict.DUPLICATE]
    for split, topics in {"train": ("computers", "cooking"), "test": ("language", "travel")}.items():
        chosen = [mark for mark in pairs if mark.first.startswith(topics)]
        (folder / f"duplicates.{split}.tsv").write_text(
            "".join(f"{mark.first}\t{mark.second}\n" for mark in chosen)
        )
    return folder
