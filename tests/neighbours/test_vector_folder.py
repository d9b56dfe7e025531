"""The folder of a view: what is kept in it, and when it is trusted."""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fresh_vectors import difference
from word_model import WordModel, use_small_chunks

from askagain.archive import Archive
from askagain.arrayfile import ABANDONED_SECONDS, save_arrays
from askagain.neighbours import folder as folder_module
from askagain.neighbours.view import VectorView, default_path
from askagain.question import Question


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Archive]:
    """An archive of 40 questions, to be kept in chunks of 8 rows."""
    use_small_chunks(monkeypatch, 8)
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(Question(id=str(number), title=f"boot {number % 7}") for number in range(40))
        yield archive


@pytest.fixture
def folder(archive: Archive) -> Path:
    """The saved vectors of that archive."""
    VectorView.open(archive, WordModel()).close()
    return default_path(archive.path, WordModel())


def reasons(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def encoded_by_opening(archive: Archive, path: Path | None = None) -> int:
    """How many questions a new view encodes; its results are right."""
    live = VectorView.open(archive, WordModel(), path=path)
    encoded: int = live.model.encoded
    assert difference(live) is None
    return encoded


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_saved_vectors_are_not_encoded_again(archive: Archive, folder: Path) -> None:
    assert folder.name.startswith("forum.db.")
    assert folder.suffix == ".vectors"
    assert len(names(folder)) == 6
    assert encoded_by_opening(archive) == 0


def test_only_new_chunks_are_written(archive: Archive, folder: Path) -> None:
    before = set(names(folder))
    archive.put_many(Question(id=f"new {number}", title="new") for number in range(4))
    archive.delete("3")
    assert encoded_by_opening(archive) == 4
    assert len(set(names(folder)) - before) == 1
    assert before < set(names(folder))


def test_closing_saves_what_was_caught_up(archive: Archive, folder: Path) -> None:
    with VectorView.open(archive, WordModel()) as live:
        archive.add(Question(id="new", title="new"))
        archive.delete("3")
        live.catch_up()
    assert encoded_by_opening(archive) == 0


def test_each_model_has_a_folder_of_its_own(archive: Archive, folder: Path) -> None:
    VectorView.open(archive, WordModel(columns=0))
    assert len(list(folder.parent.glob("*.vectors"))) == 2
    assert encoded_by_opening(archive) == 0


def test_a_view_that_is_not_durable_has_no_folder(archive: Archive) -> None:
    VectorView.open(archive, WordModel(), durable=False).close()
    assert list(archive.path.parent.glob("*.vectors")) == []


def test_a_view_can_be_kept_at_another_path(archive: Archive, tmp_path: Path) -> None:
    encoded_by_opening(archive, tmp_path / "elsewhere")
    assert encoded_by_opening(archive, tmp_path / "elsewhere") == 0


# What is not trusted


@pytest.mark.parametrize("pattern", ["manifest", "*.rows"])
@pytest.mark.parametrize("damage", ["truncate", "flip", "empty"])
def test_a_damaged_file_is_reported_and_its_vectors_made_anew(
    archive: Archive, folder: Path, caplog: pytest.LogCaptureFixture, pattern: str, damage: str
) -> None:
    file = sorted(folder.glob(pattern))[0]
    content = bytearray(file.read_bytes())
    content[-70] ^= 1
    file.write_bytes({"truncate": content[:-64], "flip": content, "empty": b""}[damage])
    assert encoded_by_opening(archive) == 40
    [reason] = reasons(caplog)
    assert f"{file} cannot be used" in reason
    caplog.clear()
    assert encoded_by_opening(archive) == 0
    assert reasons(caplog) == []


def test_a_file_that_vanished_is_made_anew(
    archive: Archive, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sorted(folder.glob("*.rows"))[0].unlink()
    assert encoded_by_opening(archive) == 40
    assert "No such file" in reasons(caplog)[0]


def test_a_chunk_under_the_name_of_another_is_not_used(
    archive: Archive, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = sorted(folder.glob("*.rows"))[:2]
    shutil.copy(first, second)
    assert encoded_by_opening(archive) == 40
    assert "its name is" in reasons(caplog)[0]


def test_a_foreign_manifest_is_not_used(
    archive: Archive, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    save_arrays(folder / "manifest", {"fields": ["title"]}, {"alive": np.ones(40, np.uint8)})
    assert encoded_by_opening(archive) == 40
    assert "its layout is None" in reasons(caplog)[0]


def test_the_folder_of_another_model_is_not_used(
    archive: Archive, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    live = VectorView.open(archive, WordModel(dimension=4), path=folder)
    assert live.model.encoded == 40
    assert "its model is words 16 32 instead of words 4 32" in reasons(caplog)[0]


def test_the_folder_of_another_layout_is_not_used(
    archive: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(folder_module, "LAYOUT", [99, 8])
    assert encoded_by_opening(archive) == 40
    assert "its layout is" in reasons(caplog)[0]


def test_the_folder_of_another_archive_is_not_used(
    archive: Archive, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Archive.open(tmp_path / "other.db") as other:
        other.put_many(Question(id=str(number), title="other") for number in range(50))
        assert encoded_by_opening(other, folder) == 50
    assert "other.db has another history than its vectors" in reasons(caplog)[0]


# Leftovers and other processes


def leave(file: Path, seconds_ago: float) -> None:
    file.write_bytes(b"left over")
    os.utime(file, times=(time.time() - seconds_ago,) * 2)


def test_abandoned_files_are_removed_and_others_are_not(archive: Archive, folder: Path) -> None:
    old = ["0123456789abcdef.rows", "0123456789abcdef.lists", "0123456789abcdef.rows.01234567.tmp"]
    kept = ["notes.rows", "manifest.old"]
    for name in old + kept:
        leave(folder / name, 2 * ABANDONED_SECONDS)
    leave(folder / "fedcba9876543210.rows", ABANDONED_SECONDS / 2)
    archive.put_many(Question(id=f"new {number}", title="new") for number in range(4))
    encoded_by_opening(archive)
    found = names(folder)
    assert not set(old) & set(found)
    assert {*kept, "fedcba9876543210.rows"} <= set(found)


def test_files_that_another_process_took_for_abandoned_are_written_again(
    archive: Archive, folder: Path
) -> None:
    live = VectorView.open(archive, WordModel())
    for file in folder.glob("*.rows"):
        file.unlink()
    archive.add(Question(id="new", title="new"))
    live.catch_up()
    live.close()
    assert encoded_by_opening(archive) == 0


def test_two_views_of_one_archive_save_in_turn(
    archive: Archive, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    views = [VectorView.open(archive, WordModel()) for _ in range(2)]
    for round in range(10):
        archive.put_many(Question(id=f"{round} {n}", title=f"boot {n}") for n in range(5))
        archive.delete(str(round))
        views[round % 2].catch_up()
        views[round % 2].close()
        assert encoded_by_opening(archive) == 0
    assert all(difference(view) is None for view in views)
    assert reasons(caplog) == []


def test_a_plain_file_in_the_place_of_the_folder_is_left_alone(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    assert encoded_by_opening(archive, tmp_path / "taken") == 40
    assert (tmp_path / "taken").read_text() == "mine"


OPEN_AS_NOBODY = """
import logging, os, sys
from askagain.archive import Archive
from askagain.neighbours.view import VectorView
from word_model import WordModel
model = WordModel()
with Archive.open(sys.argv[1]) as writable:
    VectorView.open(writable, model).search(model.queries("boot"), 3)  # compiles what nobody may not
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
live = VectorView.open(Archive.open(sys.argv[2]), model)
print(len(live.search(model.queries("boot"), 100)[0].numbers), "found")
"""


def test_a_read_only_folder_is_no_error(archive: Archive) -> None:
    archive.close()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        shutil.copy(archive.path, place)
        (place / "forum.db").chmod(0o444)
        place.chmod(0o555)
        code = [sys.executable, "-c", OPEN_AS_NOBODY, str(archive.path), str(place / "forum.db")]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        done = subprocess.run(code, check=True, timeout=120, capture_output=True, text=True, env=environment)
        assert names(place) == ["forum.db"]
        place.chmod(0o755)
    assert "cannot be written: Permission denied" in done.stdout
    assert done.stdout.endswith("40 found\n")
