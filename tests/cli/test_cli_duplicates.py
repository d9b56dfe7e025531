"""`askagain duplicates`."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from askagain import Archive, Question
from askagain.cli.app import run
from askagain.cli.duplicates import least_wanted

Command = Callable[..., str]

TITLES = ["How do I boot from a USB stick?", "How can I boot from a USB stick?", "Rice sticks to my pan"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "forum.db"
    with Archive.open(path) as opened:
        opened.put_many([Question(title, id=f"q{number}") for number, title in enumerate(TITLES)])
    return path


def test_pairs_are_shown_with_reasons(succeeded: Command, archive: Path) -> None:
    shown = succeeded("duplicates", "--archive", archive)

    assert TITLES[0] in shown
    assert TITLES[1] in shown
    assert "same: " in shown
    assert TITLES[2] not in shown


def test_json_lines_have_one_pair_each(succeeded: Command, archive: Path) -> None:
    [pair] = map(json.loads, succeeded("duplicates", "--archive", archive, "--json").splitlines())

    assert (pair["first"], pair["second"]) == ("q0", "q1")
    assert 0.05 <= pair["probability"] <= 1


def test_what_is_less_likely_than_wished_is_left_out(succeeded: Command, archive: Path) -> None:
    assert "No pairs are at least >99% likely" in succeeded(
        "duplicates", "--archive", archive, "--min-probability", "1"
    )


@pytest.mark.parametrize(("given", "usual", "least"), [(None, 0.4, 0.4), (0.3, 0.4, 0.3), (0.3, 1.0, 0.3)])
def test_what_is_given_counts_before_what_is_usual(given: float | None, usual: float, least: float) -> None:
    assert least_wanted(given, usual) == least


def test_a_threshold_that_leaves_nothing_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert least_wanted(None, 1.0) == 1.0

    assert "say with --min-probability" in capfd.readouterr().err


def test_groups_can_be_written_as_csv(succeeded: Command, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "groups.csv"
    succeeded("duplicates", "groups", "--archive", archive, "--min-probability", "0.05", "--out", out)

    [row] = csv.DictReader(out.read_text().splitlines())
    assert {row["canonical"], row["id"]} == {"q0", "q1"}


def test_a_second_call_searches_for_nothing(capfd: pytest.CaptureFixture[str], archive: Path) -> None:
    assert "searching for 3 questions" in _remarks(capfd, archive)
    assert _remarks(capfd, archive) == ""


def test_what_many_questions_need_is_told_before_they_are_indexed(
    capfd: pytest.CaptureFixture[str], archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askagain.cli.duplicates._MANY", 3)

    first = _remarks(capfd, archive)

    assert first.index("indexing 3 questions; needs about 3") < first.index("searching for 3 questions")


def _remarks(capfd: pytest.CaptureFixture[str], archive: Path) -> str:
    assert run(["duplicates", "--archive", str(archive)]) == 0
    return capfd.readouterr().err


def test_a_system_without_probabilities_is_refused(refused: Command, archive: Path) -> None:
    assert "bm25 gives no probabilities" in refused("duplicates", "--archive", archive, "--system", "bm25")
