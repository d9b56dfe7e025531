"""`askagain doctor`: lines for people, JSON for programs, and an exit code for both."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askagain.cli.app import run


@pytest.fixture
def archive(sample_archive: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sample_archive, tmp_path / "forum.db"))


@pytest.fixture
def damaged(archive: Path) -> Path:
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])
    return archive


def test_the_help_has_an_example(succeeded: Callable[..., str]) -> None:
    assert "Example: askagain doctor" in succeeded("doctor", "--help")


def test_a_healthy_installation_has_no_problem(succeeded: Callable[..., str]) -> None:
    printed = succeeded("doctor")
    assert "ok      Python: 3." in printed
    assert printed.splitlines()[-1].startswith("0 problems, ")


def test_an_archive_is_looked_at_too(archive: Path, succeeded: Callable[..., str]) -> None:
    assert f"ok      archive: {archive} is sound\n" in succeeded("doctor", "--archive", archive)


def test_every_check_is_one_line(archive: Path, succeeded: Callable[..., str]) -> None:
    lines = succeeded("doctor", "--archive", archive).splitlines()
    assert all(line.split()[0] in ("ok", "warning", "problem") for line in lines[:-1])


def test_a_problem_is_told_with_the_remedy_and_the_exit_code_1(
    damaged: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--archive", str(damaged)]) == 1
    printed = capfd.readouterr()
    [problem] = [line for line in printed.out.splitlines() if line.startswith("problem ")]
    assert "is damaged" in problem
    assert "restore" in problem
    assert printed.out.splitlines()[-1].startswith("1 problem, ")
    assert printed.err == ""


def test_an_archive_that_is_not_there_is_a_problem_and_is_not_made(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--archive", str(tmp_path / "none.db")]) == 1
    assert "none.db does not exist" in capfd.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_json_has_the_same(archive: Path, json_of: Callable[..., Any]) -> None:
    told = json_of("doctor", "--archive", archive)
    assert told["problems"] == 0
    assert {"level": "ok", "subject": "archive", "detail": f"{archive} is sound", "remedy": ""} in told[
        "checks"
    ]


def test_json_of_a_problem_comes_with_the_exit_code_1(
    damaged: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--archive", str(damaged), "--json"]) == 1
    told = json.loads(capfd.readouterr().out)
    assert told["problems"] == 1
    assert "problem" in [check["level"] for check in told["checks"]]


def test_no_control_character_of_a_name_reaches_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["doctor", "--archive", str(tmp_path / "\x1b[2J.db")])
    assert "\x1b" not in capfd.readouterr().out
