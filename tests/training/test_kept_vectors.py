"""Word vectors of an unfinished training."""

from pathlib import Path

import numpy as np
import pytest

from askagain.encoders.wordvectors import WordVectors
from askagain.errors import TrainingError
from askagain.training.keptvectors import KeptVectors

VECTORS = WordVectors(("boot", "größer", "無"), np.arange(6, dtype=np.float32).reshape(3, 2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rcnn.training" / "words0"
    KeptVectors(path, "this training").save(VECTORS)
    return path


def test_they_come_back_as_they_were(path: Path) -> None:
    loaded = KeptVectors(path, "this training").load()

    assert loaded is not None
    assert loaded.words == VECTORS.words
    np.testing.assert_array_equal(loaded.matrix, VECTORS.matrix)


def test_those_of_another_training_are_not_taken(path: Path) -> None:
    assert KeptVectors(path, "another training").load() is None


def test_without_a_file_there_are_none(tmp_path: Path) -> None:
    assert KeptVectors(tmp_path / "words0", "this training").load() is None


@pytest.mark.parametrize("share", [0.1, 0.4, 0.9, 1.0])
def test_damaged_ones_are_not_taken(path: Path, share: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(share * (len(content) - 1))] ^= 1
    path.write_bytes(content)

    assert KeptVectors(path, "this training").load() is None


def test_where_nothing_can_be_written_the_error_names_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(TrainingError, match=r"word vectors cannot be kept: .*file"):
        KeptVectors(tmp_path / "file" / "words0", "this training").save(VECTORS)
