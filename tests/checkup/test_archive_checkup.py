"""The checks of an archive, its keys, its indexes and its models: on real files, and nothing is changed."""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from watched_files import damage, files_under

from askagain.archive import Archive, Scope
from askagain.archive.backup import back_up, restore
from askagain.archive.schema import MIGRATIONS, migrate
from askagain.checkup.checkup import check_up
from askagain.checkup.finding import Finding, Level
from askagain.encoders.shipped import shipped_encoder, shipped_folder
from askagain.engine import Engine
from askagain.mining.pairs import LikelyPairs
from askagain.neighbours.view import VectorView
from askagain.question import Question
from askagain.trained import choose_system, model_folder


def findings(path: Path, subject: str) -> list[Finding]:
    return [finding for finding in check_up(path) if finding.subject.split()[0] == subject]


def only(path: Path, subject: str) -> Finding:
    [finding] = findings(path, subject)
    return finding


# The file


def test_a_sound_archive_is_described(path: Path) -> None:
    details = [finding.detail for finding in findings(path, "archive")]
    assert details[0] == f"{path} is sound"
    assert details[1].startswith("2 questions, 1 mark, ")
    assert details[1].endswith("; 1 mark of deleted questions not used")
    assert details[2] == f"schema version {len(MIGRATIONS)}"


def test_nothing_at_all_is_changed(path: Path) -> None:
    before = files_under(path.parent)
    assert not any(finding.level is Level.PROBLEM for finding in check_up(path))
    assert files_under(path.parent) == before


def test_an_older_archive_is_not_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
    before = files_under(tmp_path)
    findings_ = findings(path, "archive")
    assert [finding.level for finding in findings_] == [Level.OK] * 3
    assert findings_[2].detail == f"schema version 1, {len(MIGRATIONS)} when it is next used"
    assert files_under(tmp_path) == before


def test_a_damaged_archive_is_a_problem_with_the_way_back(path: Path) -> None:
    damage(path, start=4096)
    finding = only(path, "archive")
    assert finding.level is Level.PROBLEM
    assert "is damaged" in finding.line
    assert "restore" in finding.line


@pytest.mark.parametrize("content", [b"", b"these are my notes", None])
def test_what_is_not_an_archive_is_a_problem_and_stays(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "forum.db"
    if content is not None:
        path.write_bytes(content)
    before = files_under(tmp_path)
    assert only(path, "archive").level is Level.PROBLEM
    assert files_under(tmp_path) == before


def test_an_archive_in_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    assert only(tmp_path / "none" / "forum.db", "archive").level is Level.PROBLEM


AS_NOBODY = """
import os, sys
from pathlib import Path
from askagain.checkup.contents import check_contents, looked_at
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
with looked_at(Path(sys.argv[1])) as looked:
    for finding in check_contents(looked):
        print(finding.level, finding.detail)
"""


def test_an_archive_that_one_may_not_write_to_is_a_warning(path: Path) -> None:
    # Unlike pytest's folders, other users can enter this one.
    with tempfile.TemporaryDirectory() as name:
        copy = Path(shutil.copy(path, name))
        copy.chmod(0o644)
        copy.parent.chmod(0o555)
        command = [sys.executable, "-c", AS_NOBODY, str(copy)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert list(copy.parent.iterdir()) == [copy]
    assert "ok 2 questions" in printed
    assert f"warning you may not write to {copy} or its folder" in printed


# Keys


def test_an_archive_that_is_not_served_needs_no_keys(path: Path) -> None:
    finding = only(path, "keys")
    assert finding.level is Level.OK
    assert "askagain keys add NAME --scope write" in finding.detail


def test_a_forum_that_cannot_add_questions_is_a_warning(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.add_key("guest", Scope.READ)
    assert only(path, "keys").level is Level.WARNING
    with Archive.open(path) as archive:
        archive.add_key("plugin", Scope.WRITE)
    assert only(path, "keys") == Finding(Level.OK, "keys", "2 keys in use")


def test_an_expired_key_is_a_warning(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.add_key("plugin", Scope.WRITE, expires="2020-01-01")
    expired, nothing_left = findings(path, "keys")
    assert expired.level is Level.WARNING
    assert "'plugin' has expired (2020-01-01T00:00:00+00:00)" in expired.line
    assert "none lets the forum add questions" in nothing_left.line


# Indexes


def index_of(path: Path) -> Path:
    [index] = path.parent.glob("*.lexical")
    return index


def test_an_index_is_up_to_date_or_behind(path: Path) -> None:
    assert "is up to date" in only(path, "index").detail
    with Archive.open(path) as archive:
        archive.add(Question(id="new", title="t"))
    finding = only(path, "index")
    assert finding.level is Level.OK
    assert "1 change behind" in finding.detail


def test_no_index_is_fine(path: Path) -> None:
    index_of(path).unlink()
    assert only(path, "index") == Finding(Level.OK, "index", "none yet; the first search makes what it needs")


def test_a_damaged_index_will_be_made_anew(path: Path) -> None:
    damage(index_of(path), start=1000)
    before = files_under(path.parent)
    finding = only(path, "index")
    assert finding.level is Level.WARNING
    assert "made anew when it is needed" in finding.remedy
    assert files_under(path.parent) == before


def test_an_index_of_another_version_will_be_made_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askagain.lexical.view.VERSION", "0.0.1")
    finding = only(path, "index")
    assert finding.level is Level.WARNING
    assert "its versions are" in finding.detail


def test_an_index_of_another_history_will_be_made_anew(path: Path, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "other.db") as other:
        other.add(Question(id="other", title="t"))
    restore(tmp_path / "other.db", path, replace=True)
    finding = only(path, "index")
    assert finding.level is Level.WARNING
    assert "is of another history of the archive" in finding.detail


def test_vectors_and_pairs_are_indexes_too(path: Path) -> None:
    with Engine.open(path, "best") as engine, LikelyPairs.open(engine) as pairs:
        pairs.catch_up(10)
    kinds = {finding.detail.split()[0].rpartition(".")[2]: finding for finding in findings(path, "index")}
    assert kinds.keys() == {"lexical", "vectors", "pairs"}
    assert all("is up to date" in finding.detail for finding in kinds.values())


@pytest.mark.parametrize("ending", ["vectors", "pairs"])
def test_damaged_vectors_and_pairs_will_be_made_anew(path: Path, ending: str) -> None:
    index_of(path).unlink()
    with Archive.open(path) as archive, VectorView.open(archive, shipped_encoder(), durable=True):
        pass
    [folder] = path.parent.glob("*.vectors")
    if ending == "pairs":
        shutil.rmtree(folder)
        path.with_name("forum.db.12345678.pairs").write_bytes(b"no pairs")
    else:
        for file in folder.iterdir():
            damage(file, start=200)
    finding = only(path, "index")
    assert finding.level is Level.WARNING
    assert ending in finding.detail


# Models


def test_without_a_choice_the_default_system_searches(path: Path) -> None:
    assert only(path, "system").line == "system: best, the default one"


@pytest.mark.parametrize("system", ["bm25", "shipped", "best"])
def test_a_chosen_system_that_needs_no_training_is_fine(path: Path, system: str) -> None:
    choose_system(path, system)
    finding = only(path, "system")
    assert (finding.subject, finding.level) == (f"system {system}", Level.OK)


@pytest.fixture
def model(path: Path) -> Path:
    """A model of the archive's own, which is chosen."""
    folder = model_folder(path, "best")
    shutil.copytree(shipped_folder("best"), folder)
    choose_system(path, "best")
    return folder


def test_a_trained_model_is_loaded(path: Path, model: Path) -> None:
    assert only(path, "system").level is Level.OK


@pytest.mark.parametrize("file", ["config.toml", "weights.safetensors"])
def test_a_changed_model_is_a_problem(path: Path, model: Path, file: str) -> None:
    damage(model / file, start=200)
    finding = only(path, "system")
    assert finding.level is Level.PROBLEM
    assert file in finding.detail
    assert "askagain use best" in finding.remedy


@pytest.mark.parametrize("system", ["rcnn", "svm", "no such system", "none.toml"])
def test_a_system_that_cannot_search_is_a_problem(path: Path, system: str) -> None:
    choose_system(path, system)
    assert only(path, "system").level is Level.PROBLEM


def test_the_shipped_models_are_sound() -> None:
    shipped = [finding for finding in check_up() if finding.subject.startswith("shipped model")]
    assert [finding.level for finding in shipped] == [Level.OK, Level.OK, Level.OK]


def test_a_backup_can_be_checked_like_any_archive(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "backup.db")
    assert all(finding.level is Level.OK for finding in findings(tmp_path / "backup.db", "archive"))
