"""Files that commands write."""

import gzip
from pathlib import Path

import pytest

from askagain.cli.files import check_writable, written_whole
from askagain.errors import OutputError


def test_a_file_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"

    with written_whole(path) as file:
        file.write(b"content")
        assert not path.exists()

    assert path.read_bytes() == b"content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_ends_in_gz_is_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "out.gz"

    with written_whole(path) as file:
        file.write(b"content")

    assert gzip.decompress(path.read_bytes()) == b"content"


@pytest.mark.parametrize("name", ["out.txt", "out.gz"])
def test_work_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")

    def fail() -> None:
        with written_whole(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it is a folder; give the name of a file"):
        check_writable(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="does not exist; make it first"):
        check_writable(tmp_path / "none" / "x")


def test_a_new_file_and_an_old_one_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "x"
    check_writable(path)
    path.touch()

    check_writable(path)
