"""Vectors of former models are removed, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from word_model import WordModel

from askagain.archive import Archive
from askagain.encoders.config import config_table, parsed_config
from askagain.encoders.recipe import EncoderSystem
from askagain.encoders.settings import Bow, Part
from askagain.modelfolder import save_config
from askagain.neighbours.outdated import remove_outdated
from askagain.neighbours.view import VectorView, default_path
from askagain.question import Question
from askagain.trained import model_folder


class Trained(WordModel):
    """A model with the identity of one in a folder."""

    def __init__(self, identity: str) -> None:
        super().__init__()
        self._identity = identity

    @property
    def identity(self) -> str:
        return self._identity


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(Question(id=str(number), title=f"boot {number}") for number in range(10))
        yield archive


def trained(archive: Archive, system: str, version: str, folder: str = "") -> Trained:
    """A model in its folder beside the archive."""
    path = model_folder(archive.path, folder or system) / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    recipe = EncoderSystem(name=system, description=version, parts=(Part(network=Bow()),))
    save_config(path, {**config_table(recipe, [10]), "checksums": {}})
    return Trained(parsed_config(path).identity)


def vectors_of(archive: Archive, model: WordModel) -> Path:
    """The folder of its vectors."""
    VectorView.open(archive, model).close()
    folder = default_path(archive.path, model)
    assert (folder / "manifest").is_file()
    return folder


def test_vectors_of_the_model_that_was_replaced_are_removed(archive: Archive) -> None:
    old = vectors_of(archive, trained(archive, "rcnn", "first"))
    new = vectors_of(archive, trained(archive, "rcnn", "second"))

    remove_outdated(archive.path, "rcnn")

    assert not old.exists()
    assert new.is_dir()


def test_other_vectors_stay(archive: Archive) -> None:
    kept = [
        vectors_of(archive, trained(archive, "cnn", "another system")),
        vectors_of(archive, trained(archive, "rcnn", "a copy of an older model", folder="copy")),
        vectors_of(archive, Trained("rcnn-pretrained-0123456789abcdef")),
        vectors_of(archive, WordModel()),
    ]
    trained(archive, "rcnn", "new")

    remove_outdated(archive.path, "rcnn")

    assert all(folder.is_dir() for folder in kept)


def test_a_folder_under_another_name_stays(archive: Archive) -> None:
    old = vectors_of(archive, trained(archive, "rcnn", "first"))
    moved = [old.rename(old.with_name("forum.db.backup.vectors"))]
    moved += [other_archive(archive, moved[0])]
    trained(archive, "rcnn", "second")

    remove_outdated(archive.path, "rcnn")

    assert all((folder / "manifest").is_file() for folder in moved)


def other_archive(archive: Archive, folder: Path) -> Path:
    """The same vectors, as those of another archive."""
    copy = folder.with_name("other.db.01234567.vectors")
    copy.mkdir()
    (copy / "manifest").write_bytes((folder / "manifest").read_bytes())
    return copy


@pytest.mark.parametrize("damage", ["missing", "not ours", "damaged"])
def test_a_folder_that_no_manifest_identifies_stays(archive: Archive, damage: str) -> None:
    old = vectors_of(archive, trained(archive, "rcnn", "first"))
    trained(archive, "rcnn", "second")
    content = (old / "manifest").read_bytes()
    (old / "manifest").unlink()
    if damage != "missing":
        (old / "manifest").write_bytes(b"my own notes" if damage == "not ours" else content[:-1])
    before = sorted(old.iterdir())

    remove_outdated(archive.path, "rcnn")

    assert sorted(old.iterdir()) == before


def test_files_of_others_stay_and_so_does_their_folder(archive: Archive) -> None:
    old = vectors_of(archive, trained(archive, "rcnn", "first"))
    trained(archive, "rcnn", "second")
    (old / "notes.txt").write_text("mine")

    remove_outdated(archive.path, "rcnn")

    assert [file.name for file in old.iterdir()] == ["notes.txt"]


def test_who_has_them_open_goes_on(archive: Archive) -> None:
    model = trained(archive, "rcnn", "first")
    vectors_of(archive, model)
    with VectorView.open(archive, model) as live:
        trained(archive, "rcnn", "second")

        remove_outdated(archive.path, "rcnn")

        archive.put_many(Question(id=f"new {number}", title="new") for number in range(100))
        [hits] = live.search(model.queries("boot 3"), 20)
    assert len(hits.numbers) == 20


def test_without_a_folder_of_models_nothing_happens(archive: Archive) -> None:
    folder = vectors_of(archive, Trained("rcnn-0123456789abcdef"))

    remove_outdated(archive.path, "rcnn")

    assert folder.is_dir()
