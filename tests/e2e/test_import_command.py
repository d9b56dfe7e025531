"""`askagain import` with the real executable."""

import gzip
import json
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from executable import ASKAGAIN, environment

from commands import json_of, refused, succeeded

QUESTIONS = '{"id": "1", "title": "How do I boot from USB?"}\n{"id": "2", "title": "Booting from a stick"}\n'


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "forum.db"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text(QUESTIONS)
    return path


def test_a_set_folder_gives_its_questions_and_all_its_pairs(english: Path, archive: Path) -> None:
    report = json_of("import", english, "--archive", archive)

    assert report["questions"] == 1331
    assert [(Path(file["file"]).name, file["added"], file["marks"]) for file in report["files"]] == [
        ("questions.jsonl.gz", 1331, 0),
        ("duplicates.tsv", 0, 500),
        ("non_duplicates.tsv", 0, 500),
    ]


def test_a_second_import_of_the_same_file_changes_nothing(questions: Path, archive: Path) -> None:
    json_of("import", questions, "--archive", archive)
    [file] = json_of("import", questions, "--archive", archive)["files"]

    assert (file["added"], file["changed"], file["unchanged"]) == (0, 0, 2)


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("forum.jsonl", QUESTIONS, "jsonl"),
        ("forum.csv", "id,title,body\n1,How do I boot?,From USB\n", "csv"),
        ("forum.tsv", "id\ttitle\tbody\n1\tHow do I boot?\tFrom USB\n", "tsv"),
        (
            "Posts.xml",
            '<?xml version="1.0"?>\n<posts>\n<row Id="1" PostTypeId="1" Title="How?" Body="x" />\n</posts>\n',
            "stackexchange",
        ),
    ],
)
def test_formats_are_recognised(name: str, content: str, format: str, tmp_path: Path, archive: Path) -> None:
    (tmp_path / name).write_text(content)

    [file] = json_of("import", tmp_path / name, "--archive", archive)["files"]

    assert file["format"] == format
    assert file["added"] >= 1


def test_a_gzipped_file_is_read_like_a_plain_one(tmp_path: Path, archive: Path) -> None:
    path = tmp_path / "forum.jsonl.gz"
    path.write_bytes(gzip.compress(QUESTIONS.encode()))

    assert json_of("import", path, "--archive", archive)["questions"] == 2


def test_a_file_of_pairs_may_be_named_before_its_questions(
    questions: Path, tmp_path: Path, archive: Path
) -> None:
    pairs = tmp_path / "duplicates.tsv"
    pairs.write_text("1\t2\n")

    files = json_of("import", pairs, questions, "--archive", archive)["files"]

    assert [(file["format"], file["marks"], file["skipped"]) for file in files] == [
        ("jsonl", 0, 0),
        ("pairs", 1, 0),
    ]


def test_bad_rows_are_shown_with_file_and_line_and_the_rest_is_imported(
    questions: Path, archive: Path
) -> None:
    questions.write_text(QUESTIONS + "not json\n" * 7)

    printed = succeeded("import", questions, "--archive", archive)

    assert f"{questions}:3: not JSON" in printed
    assert "… and 2 more rows; --report FILE writes all" in printed
    assert "forum.db now has 2 questions." in " ".join(printed.split())


def test_the_report_lists_every_bad_row(questions: Path, tmp_path: Path, archive: Path) -> None:
    questions.write_text(QUESTIONS + '{"id": "3"}\n' * 150)
    report = tmp_path / "skipped.txt"

    succeeded("import", questions, "--archive", archive, "--report", report)

    lines = report.read_text().splitlines()
    assert len(lines) == 150
    assert lines[-1] == f"{questions}:152: question '3' has no title"


def test_a_file_without_a_single_good_row_is_an_error(questions: Path, archive: Path) -> None:
    questions.write_text('{"id": "3"}\n')

    assert "nothing could be read from" in refused("import", questions, "--archive", archive)


def test_a_missing_file_stops_the_import_before_it_begins(questions: Path, archive: Path) -> None:
    message = refused("import", questions, "nowhere.jsonl", "--archive", archive)

    assert "cannot read nowhere.jsonl" in message
    assert not archive.exists()


def test_an_unknown_format_is_an_error_that_lists_the_known(questions: Path, archive: Path) -> None:
    assert "jsonl, " in refused("import", questions, "--archive", archive, "--format", "word")


def test_an_interrupted_import_goes_on_when_it_is_run_again(tmp_path: Path, archive: Path) -> None:
    total = 100_000
    path = tmp_path / "large.jsonl"
    rows = ({"id": str(i), "title": f"Question {i}", "body": "word " * 50} for i in range(total))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    process = subprocess.Popen(
        [ASKAGAIN, "import", path, "--archive", archive],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_rows(archive)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1].startswith("askagain: interrupted")
    assert "Traceback" not in errors

    report = json_of("import", path, "--archive", archive)

    [file] = report["files"]
    assert report["questions"] == total
    assert file["unchanged"] >= 1000
    assert file["added"] + file["unchanged"] == total


def wait_for_rows(archive: Path) -> None:
    """Until something is committed."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as connection:
                if connection.execute("SELECT count(*) FROM commits").fetchone()[0]:
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.01)
    pytest.fail("nothing was imported")
