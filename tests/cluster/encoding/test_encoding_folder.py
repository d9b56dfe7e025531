"""The folder that an encoding fills."""

import json
from pathlib import Path

import numpy as np
import pytest

from askagain import Question
from askagain.cluster.encoding.folder import EncodingFolder, WrittenPart, encoded_parts
from askagain.cluster.encoding.parts import Part
from askagain.errors import OutputError, SourceError

PART = Part(Path("forum.db"), 1, 5, ((1, Question("One", id="a")), (2, Question("Two", id="b"))))
OTHER = Part(Path("forum.db"), 6, 10, ((6, Question("Six", id="f")),))
ARRAYS = {"dense": np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)}


@pytest.fixture
def folder(tmp_path: Path) -> EncodingFolder:
    folder = EncodingFolder(tmp_path / "out", {"model": "m"})
    folder.open()
    return folder


def test_a_written_part_is_there(folder: EncodingFolder) -> None:
    assert not folder.has(PART)

    folder.write(PART, ARRAYS)

    assert folder.has(PART)
    assert not folder.has(OTHER)


def test_a_part_with_another_text_is_not_there(folder: EncodingFolder) -> None:
    folder.write(PART, ARRAYS)

    assert not folder.has(Part(PART.source, 1, 5, ((1, Question("Changed", id="a")), PART.rows[1])))


@pytest.mark.parametrize("ending", ["safetensors", "jsonl"])
def test_a_part_that_was_cut_off_is_not_there(folder: EncodingFolder, ending: str) -> None:
    folder.write(PART, ARRAYS)
    file = folder.path / "parts" / f"{PART.name}.{ending}"
    file.write_bytes(file.read_bytes()[:-3])

    assert not folder.has(PART)


def test_a_finished_folder_gives_its_arrays_and_what_they_belong_to(folder: EncodingFolder) -> None:
    folder.write(PART, ARRAYS)
    folder.finish([WrittenPart.of(PART)], skipped=1)

    [(ids, arrays)] = encoded_parts(folder.path)

    assert [row["id"] for row in ids] == ["a", "b"]
    assert arrays["dense"].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    manifest = json.loads((folder.path / "manifest.json").read_text())
    assert (manifest["rows"], manifest["skipped"], manifest["model"]) == (2, 1, "m")


def test_what_is_no_longer_a_part_is_removed_at_the_end(folder: EncodingFolder) -> None:
    folder.write(PART, ARRAYS)
    folder.write(OTHER, ARRAYS)

    folder.finish([WrittenPart.of(PART)], skipped=0)

    assert {file.stem for file in (folder.path / "parts").iterdir()} == {PART.name}


def test_while_parts_are_written_there_is_no_manifest(folder: EncodingFolder) -> None:
    folder.finish([], skipped=0)
    folder.write(PART, ARRAYS)

    with pytest.raises(SourceError, match="not the folder of a finished encoding"):
        list(encoded_parts(folder.path))


def test_other_settings_need_another_folder(folder: EncodingFolder) -> None:
    with pytest.raises(OutputError, match="another model or other settings"):
        EncodingFolder(folder.path, {"model": "n"}).open()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(OutputError, match="is not empty"):
        EncodingFolder(tmp_path, {}).open()
