"""Files of arrays: what was written comes back, and no damage goes unnoticed."""

import json
import os
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from askagain.arrayfile import ABANDONED_SECONDS, FORMAT_VERSION, Arrays, load_arrays, save_arrays
from askagain.errors import IndexFileError

PREFIX = struct.Struct("<8sIIQ")
ARRAYS: Arrays = {
    "numbers": np.array([3, -1, 2**40]),
    "table": np.arange(50, dtype=np.uint16).reshape(5, 10),
    "nothing": np.zeros((2, 0), dtype=np.float32),
    "weights": np.linspace(0, 1, 16),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that holds ARRAYS."""
    path = tmp_path / "some.arrays"
    save_arrays(path, {"made by": "a test"}, ARRAYS)
    return path


def rewrite_header(path: Path, change: Callable[[dict], None]) -> None:  # type: ignore[type-arg]
    """Change the header as a program would that computes the right checksum."""
    content = path.read_bytes()
    magic, version, _, size = PREFIX.unpack_from(content)
    header = json.loads(content[PREFIX.size : PREFIX.size + size])
    change(header)
    text = json.dumps(header).encode().ljust(size)
    frame = PREFIX.pack(magic, version, zlib.crc32(text), len(text))
    path.write_bytes(frame + text + content[PREFIX.size + size :])


def test_arrays_and_header_come_back_as_they_were(path: Path) -> None:
    header, arrays = load_arrays(path)
    assert header == {"made by": "a test"}
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)


def test_arrays_are_aligned_and_cannot_be_written_to(path: Path) -> None:
    _, arrays = load_arrays(path)
    for array in arrays.values():
        assert array.ctypes.data % 64 == 0
        assert not array.flags.writeable


def test_a_file_that_is_replaced_does_not_change_arrays_in_use(path: Path) -> None:
    _, arrays = load_arrays(path)
    save_arrays(path, {}, {"numbers": np.array([7, 7, 7])})
    assert arrays["numbers"].tolist() == ARRAYS["numbers"].tolist()


def test_every_flipped_byte_is_noticed(path: Path) -> None:
    content = path.read_bytes()
    damaged = path.with_name("damaged")
    for place in range(len(content)):
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :])
        with pytest.raises(IndexFileError, match="damaged cannot be used"):
            load_arrays(damaged)


def test_every_missing_end_is_noticed(path: Path) -> None:
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(IndexFileError, match=r"some\.arrays cannot be used"):
            load_arrays(path)


def test_bytes_too_many_are_noticed(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\0")
    with pytest.raises(IndexFileError, match="1 bytes follow its last array"):
        load_arrays(path)


def test_another_kind_of_file_is_refused(path: Path) -> None:
    path.write_text("these are my notes, not arrays")
    with pytest.raises(IndexFileError, match="it is not a file of arrays"):
        load_arrays(path)


def test_a_newer_format_is_refused_and_both_versions_are_named(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8] = FORMAT_VERSION + 1
    path.write_bytes(content)
    with pytest.raises(IndexFileError, match=f"format version {FORMAT_VERSION + 1}, and this askagain reads"):
        load_arrays(path)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"dtype": "|O"}, "not one of plain numbers"),
        ({"dtype": "nonsense"}, "unknown type"),
        ({"shape": [-1]}, "not one of plain numbers"),
        ({"shape": [10**9]}, "is not where it should be"),
        ({"offset": 64}, "is not where it should be"),
        ({"extra": 1}, "not understood"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_even_with_the_right_checksum(
    path: Path, row: dict[str, object], problem: str
) -> None:
    rewrite_header(path, lambda header: header["arrays"][0].update(row))
    with pytest.raises(IndexFileError, match=problem):
        load_arrays(path)


def test_a_header_that_is_not_an_object_is_refused(path: Path) -> None:
    rewrite_header(path, lambda header: header.pop("arrays"))
    with pytest.raises(IndexFileError, match="not understood: 'arrays'"):
        load_arrays(path)


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match=r"missing\.arrays cannot be read: No such file"):
        load_arrays(tmp_path / "missing.arrays")


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match=r"nowhere/some\.arrays cannot be written: No such file"):
        save_arrays(tmp_path / "nowhere" / "some.arrays", {}, ARRAYS)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(path: Path) -> None:
    before = path.read_bytes()
    path.with_name("folder").mkdir()
    with pytest.raises(IndexFileError, match="cannot be written"):
        save_arrays(path.with_name("folder"), {}, ARRAYS)
    assert sorted(file.name for file in path.parent.iterdir()) == ["folder", "some.arrays"]
    assert path.read_bytes() == before


def test_only_abandoned_temporary_files_of_the_same_file_are_removed(path: Path) -> None:
    names = ["some.arrays.dead.tmp", "some.arrays.busy.tmp", "other.arrays.dead.tmp", "some.arrays.txt"]
    long_ago = time.time() - ABANDONED_SECONDS - 60
    for name in names:
        path.with_name(name).write_bytes(b"half")
        if "busy" not in name:
            os.utime(path.with_name(name), (long_ago, long_ago))
    save_arrays(path, {}, ARRAYS)
    assert sorted(file.name for file in path.parent.iterdir()) == sorted(["some.arrays", *names[1:]])
