"""Whether there is room."""

from pathlib import Path

import pytest

from askagain.checkup.finding import Level
from askagain.checkup.space import LEAST_FREE, check_free, check_space, size_of, size_with_indexes, sized


@pytest.mark.parametrize(
    ("free", "used", "level"),
    [
        (10 * LEAST_FREE, LEAST_FREE, Level.OK),
        (10 * LEAST_FREE, 20 * LEAST_FREE, Level.WARNING),
        (LEAST_FREE - 1, 0, Level.PROBLEM),
    ],
)
def test_there_should_be_room_for_a_copy(free: int, used: int, level: Level) -> None:
    assert check_free(free, used).level is level


def test_a_warning_tells_both_numbers() -> None:
    line = check_free(1_000_000_000, 2_500_000_000).line
    assert "1.0 GB are free, and the archive and its indexes take 2.5 GB" in line
    assert line.endswith("free some space")


def test_the_disk_of_a_real_archive_is_looked_at(path: Path) -> None:
    assert check_space(path).detail.endswith("free")


def test_all_that_belongs_to_an_archive_is_counted(tmp_path: Path) -> None:
    (tmp_path / "forum.db").write_bytes(b"1" * 10)
    (tmp_path / "forum.db.x.lexical").write_bytes(b"1" * 100)
    (tmp_path / "forum.db.models" / "best").mkdir(parents=True)
    (tmp_path / "forum.db.models" / "best" / "weights").write_bytes(b"1" * 1000)
    (tmp_path / "other.db").write_bytes(b"1" * 10_000)
    assert size_with_indexes(tmp_path / "forum.db") == 1110


def test_what_is_not_there_has_no_size(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "none")
    assert size_of(tmp_path / "none") == 0
    assert size_of(tmp_path) == 0


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (2_000_000, "2.0 MB"), (10**13, "10.0 TB")],
)
def test_sizes_in_words(count: int, words: str) -> None:
    assert sized(count) == words
