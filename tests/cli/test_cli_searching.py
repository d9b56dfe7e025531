"""`askagain search` on the sample forum."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


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
    found = json_of("search", "Help!", "--body", "hollandaise", "--archive", sample_archive, "-k", 1)

    assert "hollandaise" in found["matches"][0]["title"].lower()


def test_nothing_in_common_finds_nothing(sample_archive: Path, json_of: Callable[..., Any]) -> None:
    assert json_of("search", "zzyzx", "--archive", sample_archive)["matches"] == []


@pytest.mark.parametrize("system", [["--system", "bm25"], []])
def test_a_system_that_does_not_learn_takes_no_model(
    system: list[str], sample_archive: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    told = refused("search", "rice", "--archive", sample_archive, *system, "--model", tmp_path / "model")

    assert "bm25 has nothing to learn and takes no model" in told
