import gzip
import tracemalloc

import pytest

from askagain.errors import SourceError
from askagain.sources.base import Skipped
from askagain.sources.files import byte_lines, read_head, text_lines


def test_lines_are_numbered_and_lose_their_ends(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\ntwo\nthree")
    assert list(text_lines(path)) == [(1, "one"), (2, "two"), (3, "three")]


def test_a_gzipped_file_reads_like_a_plain_one_whatever_its_name(tmp_path):
    path = tmp_path / "no_ending"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert list(text_lines(path)) == [(1, "one"), (2, "two")]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\n")
    assert list(text_lines(path)) == [(1, "one")]
    assert read_head(path) == b"one\n"


def test_invalid_utf8_in_the_middle_costs_one_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"gut\nsch\xf6" + "n\nja ü\n".encode())
    first, wrong, last = text_lines(path)
    assert (first, last) == ((1, "gut"), (3, "ja ü"))
    assert wrong == Skipped(path, 2, "line is not UTF-8 (byte 0xf6 at position 4)")


def test_an_over_long_line_is_passed_over(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"short\n" + b"x" * 5000 + b"\nshort again\n")
    lines = list(byte_lines(path, limit=100))
    assert lines == [(1, b"short"), Skipped(path, 2, "line is longer than 100 bytes"), (3, b"short again")]


def test_a_line_of_exactly_the_limit_is_kept(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 100 + b"\n" + b"y" * 100)
    assert list(byte_lines(path, limit=100)) == [(1, b"x" * 100), (2, b"y" * 100)]


def test_a_line_of_50_megabytes_is_never_held_in_memory(tmp_path):
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        for _ in range(50):
            file.write(b"x" * 2**20)
        file.write(b"\nlast\n")
    tracemalloc.start()
    try:
        lines = list(byte_lines(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(lines[0], Skipped)
    assert lines[1] == (2, b"last")
    assert peak < 40 * 2**20


def test_a_truncated_gzip_file_gives_its_lines_and_a_report(tmp_path):
    path = tmp_path / "a.gz"
    whole = gzip.compress(b"".join(b"line %d\n" % n for n in range(50_000)))
    path.write_bytes(whole[: len(whole) // 2])
    *good, report = byte_lines(path)
    assert good[0] == (1, b"line 0")
    assert len(good) > 1000
    assert report.line == len(good) + 1
    assert "damaged or cut off" in report.reason


def test_a_corrupt_gzip_file_gives_a_report(tmp_path):
    path = tmp_path / "a.gz"
    broken = bytearray(gzip.compress(bytes(range(256)) * 2000))
    broken[40:60] = b"\xff" * 20
    path.write_bytes(broken)
    assert isinstance(list(byte_lines(path))[-1], Skipped)


def test_progress_counts_the_bytes_on_disk_up_to_all_of_them(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"line\n" * 2000))
    size = path.stat().st_size
    seen = []
    list(byte_lines(path, lambda done, total: seen.append((done, total))))
    assert len(seen) > 1
    assert all(done <= total == size for done, total in seen)
    assert seen[-1] == (size, size)


def test_a_missing_file_is_an_error_that_names_it(tmp_path):
    with pytest.raises(SourceError, match=r"nowhere\.txt"):
        list(byte_lines(tmp_path / "nowhere.txt"))


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(SourceError, match="directory"):
        list(byte_lines(tmp_path))


def test_utf16_is_an_error_that_says_what_to_do(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("title".encode("utf-16"))
    with pytest.raises(SourceError, match="convert it to UTF-8"):
        list(text_lines(path))
