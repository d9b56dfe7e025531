"""`askagain search` on the sample forum."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askagain.calibration.calibration import SILENCE
from askagain.cli.app import run
from askagain.encoders.shipped import shipped_folder
from askagain.fusion.folder import load_fused, save_fused


@pytest.mark.parametrize("system", ["tfidf", "bm25", "ib", "dfr", "lmd", "lmj"])
def test_every_system_finds_a_title_and_explains_its_score(
    system: str, sample_archive: Path, json_of: Callable[..., Any]
) -> None:
    title = "Rust spots on my cast iron pan, can it be saved?"

    found = json_of("search", title, "--archive", sample_archive, "-k", 1, "--system", system, "--explain")

    [match] = found["matches"]
    assert (found["system"], match["id"]) == (system, "cooking-8")
    assert sum(reason["share"] for reason in match["reasons"]) == pytest.approx(match["score"])


def test_words_are_explained_at_once_and_shares_of_the_score_on_demand(
    sample_archive: Path, json_of: Callable[..., Any]
) -> None:
    found = json_of("search", "Rice stood out overnight", "--archive", sample_archive, "-k", 1)

    [match] = found["matches"]
    assert [word["word"] for word in match["explanation"]["shared"]] == ["overnight", "rice", "out", "stood"]
    assert match["reasons"] == []


def test_the_body_is_part_of_the_question(sample_archive: Path, json_of: Callable[..., Any]) -> None:
    asked = ("search", "Help!", "--body", "hollandaise", "--archive", sample_archive, "-k", 1)

    found = json_of(*asked, "--system", "bm25")

    assert "hollandaise" in found["matches"][0]["title"].lower()


def test_nothing_in_common_finds_nothing(sample_archive: Path, json_of: Callable[..., Any]) -> None:
    found = json_of("search", "zzyzx", "--archive", sample_archive, "--system", "bm25")

    assert found["matches"] == []


@pytest.mark.parametrize("system", ["bm25", "shipped"])
def test_a_system_that_does_not_learn_takes_no_model(
    system: str, sample_archive: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    chosen = ("--system", system, "--model", tmp_path / "model")

    told = refused("search", "rice", "--archive", sample_archive, *chosen)

    assert f"{system} has nothing to learn and takes no model" in told


def test_probabilities_of_other_forums_leave_nothing_out_and_are_told_in_one_line(
    sample_archive: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "rice", "--archive", str(sample_archive)]) == 0

    shown = capfd.readouterr()
    assert re.search(r"^10 +<1%", shown.out, flags=re.MULTILINE)
    # On a busy machine the progress of indexing comes before.
    remarks = [line for line in shown.err.splitlines() if not line.startswith("indexing: ")]
    assert remarks == [
        "These probabilities come from other forums; with enough marks, "
        f"askagain train best --archive {sample_archive} calibrates them."
    ]


@pytest.mark.parametrize("options", [["--json"], ["--system", "bm25"]])
def test_programs_and_systems_without_probabilities_get_no_remark(
    options: list[str], sample_archive: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "rice", "--archive", str(sample_archive), *options]) == 0

    assert capfd.readouterr().err == ""


def test_a_system_without_probabilities_takes_no_least_one(
    sample_archive: Path, refused: Callable[..., str]
) -> None:
    asked = ["search", "rice", "--archive", sample_archive, "--min-probability", 0.5]

    assert "bm25 gives no probabilities: leave --min-probability out" in refused(*asked, "--system", "bm25")


def test_what_is_not_likely_enough_is_left_out_and_one_is_told(
    sample_archive: Path, succeeded: Callable[..., str]
) -> None:
    told = succeeded("search", "rice", "--archive", sample_archive, "--min-probability", 0.999)

    assert re.fullmatch(
        r"Nothing is similar enough: the likeliest match has a probability of <?\d+%, below >99%\. "
        r"Show it with --min-probability 0\.\n",
        told,
    )


def test_a_forum_that_has_silenced_the_system_is_told_why(
    sample_archive: Path, tmp_path: Path, succeeded: Callable[..., str]
) -> None:
    model = silenced_model(tmp_path / "model")

    told = succeeded("search", "rice", "--archive", sample_archive, "--system", "best", "--model", model)

    assert told.startswith("Nothing is sure enough: the likeliest match has a probability of ")
    assert "on this archive's marks no probability was enough for the wished precision" in told


def silenced_model(folder: Path) -> Path:
    """What ships with the package, as if no threshold had held the wished precision on this archive."""
    fused = load_fused(shipped_folder("best"))
    calibration = replace(fused.judge.calibration, threshold=SILENCE)
    save_fused(folder, fused._replace(judge=replace(fused.judge, calibration=calibration)), {})
    return folder
