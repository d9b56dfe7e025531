"""`askagain report` on the sample forum."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from askagain import Archive, Verdict
from askagain.question import Feedback
from askagain.sample import forum

QUICK = """
[fusion]
encoders = ["shipped"]
depth = 8

[learning]
methods = ["logistic"]
folds = 3
"""


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    """The default system, in small."""
    path = tmp_path / "quick.toml"
    path.write_text(QUICK)
    return path


@pytest.fixture
def archive(sample_archive: Path, tmp_path: Path) -> Path:
    """An archive of one's own, to write beside."""
    return Path(shutil.copy(sample_archive, tmp_path / "forum.db"))


def test_the_report_is_told_in_short_and_written_at_length(
    archive: Path, quick: Path, succeeded: Callable[..., str]
) -> None:
    told = " ".join(succeeded("report", "--most", 120, "--archive", archive, "--system", quick).split())

    assert "120 of 332 marked questions were asked again (at most 120)" in told
    for headline in ("By month", "Mistakes", "Missed, for example", "With more marks"):
        assert headline in told
    page = archive.with_name("forum.db.report.html")
    assert "quick on the marks of forum.db" in LexborHTMLParser(page.read_text()).css_first("h1").text()


def test_json_has_everything_in_one_object(
    archive: Path, quick: Path, tmp_path: Path, json_of: Callable[..., Any]
) -> None:
    out = tmp_path / "page.html"

    found = json_of("report", "--most", 120, "--archive", archive, "--system", quick, "--out", out)

    assert found["scope"]["questions"] == 120
    overall, [month] = found["overall"], found["periods"]
    assert overall["duplicates"] + overall["rejected"] == found["scope"]["pairs"]
    assert month["recall"] == overall["recall"]
    assert found["mistakes"]["missed"][0]["reason"]
    assert found["growth"]["stages"][-1]["is_all"]
    assert found["page"] == str(out)
    assert out.is_file()


def test_the_same_seed_gives_the_same_report(archive: Path, quick: Path, json_of: Callable[..., Any]) -> None:
    command = ["report", "--most", 120, "--archive", archive, "--system", quick, "--seed", 7]
    first, again = (json_of(*command) for _ in "ab")

    assert first == again


def test_what_people_said_of_suggestions_is_reported_on(tmp_path: Path, json_of: Callable[..., Any]) -> None:
    questions = forum.questions()
    with Archive.open(tmp_path / "asked.db") as archive:
        archive.put_many(questions)
        archive.give_feedback(Feedback(questions[0].title, "", questions[0].id, Verdict.DUPLICATE))
        archive.give_feedback(Feedback("zzz", "", questions[1].id, Verdict.NOT_DUPLICATE))

    found = json_of("report", "--archive", tmp_path / "asked.db")

    assert (found["overall"]["duplicates"], found["overall"]["rejected"]) == (1, 1)
    assert found["scope"]["marked_pairs"] == 2


def test_without_marks_there_is_nothing_to_report(
    tmp_path: Path, quick: Path, refused: Callable[..., str]
) -> None:
    with Archive.open(tmp_path / "empty.db"):
        pass

    told = refused("report", "--archive", tmp_path / "empty.db", "--system", quick)

    assert "empty.db has no marks" in told
    assert not (tmp_path / "empty.db.report.html").exists()


def test_other_systems_are_sent_to_evaluate(archive: Path, refused: Callable[..., str]) -> None:
    told = refused("report", "--archive", archive, "--system", "bm25")

    assert "bm25 cannot be reported on: choose best" in told


def test_systems_whose_encoder_learned_from_the_marks_are_sent_there_too(
    archive: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text('name = "mine"\n[fusion]\nencoders = ["shipped", "bow-cnn-small"]\n')

    told = refused("report", "--archive", archive, "--system", recipe)

    assert "mine cannot be reported on: its encoder bow-cnn-small learns from the same marks" in told


def test_a_page_that_cannot_be_written_is_told_before_the_work(
    archive: Path, quick: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    told = refused("report", "--archive", archive, "--system", quick, "--out", tmp_path / "no" / "page.html")

    assert "does not exist" in told
