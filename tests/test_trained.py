"""Which model an archive is searched with."""

from pathlib import Path

import pytest

from askagain.errors import OutputError
from askagain.trained import choose_system, model_folder, models_folder, trained_system


def test_models_lie_beside_their_archive(tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"

    assert models_folder(archive) == tmp_path / "forum.db.models"
    assert model_folder(archive, "rcnn") == tmp_path / "forum.db.models" / "rcnn"


def test_before_any_training_there_is_none(tmp_path: Path) -> None:
    assert trained_system(tmp_path / "forum.db") is None


def test_the_last_choice_counts(tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"

    choose_system(archive, "rcnn")
    choose_system(archive, "/home/anna/meine Rezepte/größer.toml")

    assert trained_system(archive) == "/home/anna/meine Rezepte/größer.toml"


def test_archives_do_not_share_their_choice(tmp_path: Path) -> None:
    choose_system(tmp_path / "one.db", "rcnn")

    assert trained_system(tmp_path / "two.db") is None


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_choice_is_none(content: bytes, tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"
    choose_system(archive, "rcnn")
    (models_folder(archive) / "chosen").write_bytes(content)

    assert trained_system(archive) is None


def test_a_damaged_choice_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"
    choose_system(archive, "rcnn")
    (models_folder(archive) / "chosen").write_bytes(b"\xff\xfe" + b"x" * 10_000)

    chosen = trained_system(archive)

    assert chosen is not None
    assert len(chosen) <= 1000


def test_where_nothing_can_be_written_the_error_names_the_file(tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"
    models_folder(archive).write_text("a file in the folder's place")

    with pytest.raises(OutputError, match=r"cannot write .*forum\.db\.models"):
        choose_system(archive, "rcnn")
