"""Hostile input crashes and hangs nothing, and the harness that says so would notice."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from askagain.question import Question
from askagain.sources.base import Skipped
from askagain.sources.detect import detect, source_named
from example_files import EXAMPLES, SITE_7Z
from fuzz import BrokenPromiseError, Target, check_record, fuzz, targets
from hostile_files import hostile_7z, hostile_files


@pytest.mark.parametrize("name", [target.name for target in targets(Path())])
def test_hostile_input_crashes_and_hangs_nothing(name: str, tmp_path: Path) -> None:
    [target] = [target for target in targets(tmp_path) if target.name == name]
    # 300 inputs, and fewer where each takes long.
    case = fuzz(target, min(300, target.inputs // 50))
    assert (case.crashes, case.hangs) == (0, 0)


def fuzz_numbers(run: Callable[[int], object], seconds: float = 10) -> tuple[int, int]:
    """The crashes and hangs of a target that is fed with 0, 1 and 2."""
    case = fuzz(Target("target", make=int, run=run, inputs=3), inputs=3, seconds=seconds)
    return case.crashes, case.hangs


def test_a_crash_is_counted_and_told_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz_numbers(lambda number: 1 // (number - 1)) == (1, 0)
    assert "target: input 1 raises ZeroDivisionError" in capsys.readouterr().err


def test_a_recursion_without_end_is_a_crash() -> None:
    def endless(number: int) -> None:
        endless(number)

    assert fuzz_numbers(endless) == (3, 0)


def test_a_hang_is_counted_and_told_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz_numbers(lambda number: time.sleep(60 if number == 2 else 0), seconds=0.2) == (0, 1)
    assert "target: input 2 hangs" in capsys.readouterr().err


def test_a_target_that_catches_every_exception_still_hangs() -> None:
    def stubborn(number: int) -> None:
        with suppress(Exception):
            time.sleep(60)

    assert fuzz_numbers(stubborn, seconds=0.1) == (0, 3)


@pytest.mark.parametrize(
    "record",
    [
        Question(id="", title="no id"),
        Question(id="1", title=" "),
        Skipped(Path("file"), -1, "before the file"),
        Skipped(Path("file"), 1, "two\nlines"),
        Skipped(Path("file"), 1, "x" * 10_000),
        None,
    ],
)
def test_a_record_that_no_reader_may_give_is_noticed(record: object) -> None:
    with pytest.raises(BrokenPromiseError):
        check_record(record)


@pytest.mark.parametrize("format", EXAMPLES)
def test_the_files_are_valid_before_they_are_damaged(format: str, tmp_path: Path) -> None:
    for files in EXAMPLES[format]:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        path = tmp_path / next(iter(files))
        records = list(source_named(format).records(path))
        assert detect(path).name == format
        assert len(records) >= 3
        assert not any(isinstance(record, Skipped) for record in records)


def test_the_7z_archive_is_valid_before_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "site.7z"
    path.write_bytes(SITE_7Z)
    assert len(list(source_named("stackexchange").records(path))) == 3


def test_a_number_always_gives_the_same_files() -> None:
    assert [hostile_files("csv", number) for number in range(50)] == [
        hostile_files("csv", number) for number in range(50)
    ]
    assert hostile_7z(7) == hostile_7z(7)


def test_numbers_give_different_files() -> None:
    different = {content for number in range(100) for content in hostile_files("jsonl", number).values()}
    assert len(different) > 60
