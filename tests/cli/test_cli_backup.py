"""`askagain backup` and `askagain restore`."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from askagain import Archive, Question
from askagain.archive import Scope
from askagain.cli.app import run


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "forum.db"
    with Archive.open(path) as opened:
        opened.add(Question(id="boot", title="How do I boot from USB?"))
    return path


@pytest.fixture
def target(archive: Path, succeeded: Callable[..., str]) -> Path:
    """A backup of the archive, to which a question was added then."""
    path = archive.with_name("backup.db")
    succeeded("backup", path, "--archive", archive)
    with Archive.open(archive) as opened:
        opened.add(Question(id="later", title="t"))
    return path


def ids(path: Path) -> list[str]:
    with Archive.open(path, create=False) as archive:
        return [question.id for question in archive.questions()]


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_the_help_has_an_example(command: str, succeeded: Callable[..., str]) -> None:
    assert f"Example: askagain {command}" in succeeded(command, "--help")


def test_a_backup_is_told_and_is_an_archive(archive: Path, succeeded: Callable[..., str]) -> None:
    path = archive.with_name("backup.db")
    told = succeeded("backup", path, "--archive", archive)
    assert told == f"{path} has 1 question and 0 marks, and is sound.\n"
    assert ids(path) == ["boot"]


def test_an_archive_goes_back_to_its_backup(
    archive: Path, target: Path, succeeded: Callable[..., str]
) -> None:
    told = succeeded("restore", target, "--archive", archive, "--replace")
    assert told == f"{archive} is what {target} is: 1 question and 0 marks.\n"
    assert ids(archive) == ["boot"]


def test_a_lost_archive_comes_back(archive: Path, target: Path, succeeded: Callable[..., str]) -> None:
    archive.unlink()
    succeeded("restore", target, "--archive", archive)
    assert ids(archive) == ["boot"]


def test_one_is_reminded_of_keys_that_hold_again(
    archive: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Archive.open(archive) as opened:
        opened.add_key("plugin", Scope.WRITE)
    assert run(["backup", str(tmp_path / "b.db"), "--archive", str(archive)]) == 0
    assert run(["restore", str(tmp_path / "b.db"), "--archive", str(tmp_path / "new.db")]) == 0
    assert "Keys are what they were then, too: see askagain keys list" in capfd.readouterr().err


def test_an_archive_is_replaced_only_on_request(
    archive: Path, target: Path, refused: Callable[..., str]
) -> None:
    assert "say --replace to give it up" in refused("restore", target, "--archive", archive)
    assert ids(archive) == ["boot", "later"]


def test_a_damaged_backup_is_refused(archive: Path, target: Path, refused: Callable[..., str]) -> None:
    os.truncate(target, target.stat().st_size // 2)
    complaint = refused("restore", target, "--archive", archive, "--replace")
    assert "backup.db is damaged" in complaint
    assert ids(archive) == ["boot", "later"]


def test_an_existing_target_is_refused(archive: Path, target: Path, refused: Callable[..., str]) -> None:
    assert "exists already: choose another name" in refused("backup", target, "--archive", archive)
    assert ids(target) == ["boot"]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (["backup", "none/b.db"], "the folder none does not exist; make it first"),
        (["backup", "."], "it is a folder"),
        (["restore", "none.db"], "none.db does not exist"),
    ],
)
def test_a_path_that_will_not_do_is_one_line(
    command: list[str],
    complaint: str,
    archive: Path,
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(archive.parent)
    assert complaint in refused(*command, "--archive", archive)


def test_no_archive_is_made_to_be_backed_up(tmp_path: Path, refused: Callable[..., str]) -> None:
    assert "does not exist" in refused("backup", tmp_path / "b.db", "--archive", tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []
