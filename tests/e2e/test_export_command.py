"""`askagain export` with the real executable."""

import gzip
import json
import subprocess
from pathlib import Path

import pytest
from executable import ASKAGAIN, askagain, environment

from askagain import Archive, Mark, Question, Verdict
from commands import refused, succeeded

HOSTILE = "\x1b[2J\x9b2J\x7f [bold] \u2028 ümlaut"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "forum.db"
    with Archive.open(path) as opened:
        opened.add(
            Question(
                "How do I boot?", "From <b>USB</b>\n\n", "1", ("usb", "boot"), "2020", "http://x/1", "So."
            )
        )
        opened.add(Question(HOSTILE, HOSTILE, "2"))
        opened.add(Question("Gone", id="3"))
        opened.mark(Mark("1", "2", Verdict.NOT_DUPLICATE, who="ann", when="2021-01-01T00:00:00+00:00"))
        opened.mark(Mark("1", "3"))
        opened.delete("3")
    return path


def content(path: Path) -> tuple[list[Question], list[Mark]]:
    with Archive.open(path, create=False) as archive:
        return list(archive.questions()), list(archive.marks())


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_an_export_imports_to_an_equal_archive(archive: Path, tmp_path: Path, name: str) -> None:
    exported, copy = tmp_path / name, tmp_path / "copy.db"

    succeeded("export", "--archive", archive, "--out", exported)
    succeeded("import", exported, "--archive", copy)

    assert content(copy) == content(archive)
    assert exported.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


def test_a_real_forum_survives_the_round_trip(sample_archive: Path, tmp_path: Path) -> None:
    exported, copy = tmp_path / "out.jsonl.gz", tmp_path / "copy.db"

    succeeded("export", "--archive", sample_archive, "--out", exported)
    succeeded("import", exported, "--archive", copy)

    assert content(copy) == content(sample_archive)
    assert len(content(copy)[0]) == 357


def test_without_a_file_it_goes_to_standard_output(archive: Path) -> None:
    lines = [json.loads(line) for line in succeeded("export", "--archive", archive).split("\n")[:-1]]

    assert [line.get("title") for line in lines] == ["How do I boot?", HOSTILE, None]
    assert lines[2]["verdict"] == "not-duplicate"


def test_no_control_character_reaches_the_terminal(archive: Path) -> None:
    printed = succeeded("export", "--archive", archive)

    assert not {"\x1b", "\x7f", "\x9b"} & set(printed)


def test_questions_or_marks_only(archive: Path) -> None:
    assert len(succeeded("export", "--archive", archive, "--questions").split("\n")) == 3
    assert len(succeeded("export", "--archive", archive, "--marks").split("\n")) == 2


def test_equal_archives_give_equal_gzipped_files(archive: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"

    succeeded("export", "--archive", archive, "--out", first)
    succeeded("export", "--archive", archive, "--out", second)

    assert first.read_bytes() == second.read_bytes()
    assert gzip.decompress(first.read_bytes()).endswith(b"}\n")


def test_it_never_overwrites_its_own_archive(archive: Path) -> None:
    before = content(archive)

    assert "it is the archive itself" in refused("export", "--archive", archive, "--out", archive)
    assert content(archive) == before


def test_an_output_that_cannot_be_written_is_one_line(archive: Path, tmp_path: Path) -> None:
    assert "make it first" in refused("export", "--archive", archive, "--out", tmp_path / "no" / "x.jsonl")
    assert "it is a folder" in refused("export", "--archive", archive, "--out", tmp_path)


def test_a_missing_archive_is_not_made(tmp_path: Path) -> None:
    refused("export", "--archive", tmp_path / "none.db")

    assert not (tmp_path / "none.db").exists()


def test_a_full_disk_is_one_line(archive: Path) -> None:
    command = [ASKAGAIN, "export", "--archive", archive]

    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True)

    assert done.returncode == 2
    assert done.stderr == "askagain: standard output: No space left on device\n"


def test_without_standard_output_nothing_is_done(archive: Path) -> None:
    before = archive.read_bytes()

    done = subprocess.run(
        f'"{ASKAGAIN}" export --archive "{archive}" >&-', shell=True, stderr=subprocess.PIPE
    )

    assert (done.returncode, done.stderr) == (2, b"")
    assert archive.read_bytes() == before


def test_how_much_was_written_is_told(archive: Path, tmp_path: Path) -> None:
    done = askagain("export", "--archive", archive, "--out", tmp_path / "x.jsonl")

    assert done.stderr.startswith("3 lines written to ")
