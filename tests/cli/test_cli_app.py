"""How commands end."""

from collections.abc import Callable

import pytest
import typer

from askagain.cli import app as app_module
from askagain.cli.app import run
from askagain.errors import SettingsError

COMMANDS = [
    "demo",
    "import",
    "search",
    "train",
    "report",
    "duplicates",
    "serve",
    "use",
    "export",
    "keys add",
    "backup",
    "restore",
    "doctor",
    "evaluate",
    "compare",
    "score",
    "inspect",
    "systems",
    "data get",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example(command: str, succeeded: Callable[..., str]) -> None:
    assert f"Example: askagain {command}" in succeeded(*command.split(), "--help")


def test_every_command_is_in_the_help(succeeded: Callable[..., str]) -> None:
    printed = succeeded("--help")

    for command in COMMANDS:
        assert f"│ {command.split()[0]} " in printed


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "vim"], "Missing option '--archive'. See: askagain search --help"),
        (["search", "vim", "--archive", "x.db", "-k", "0"], "'-k'"),
        (["search", "vim", "--archive", "x.db", "--colour"], "--colour"),
        (["search", " ", "--archive", "x.db"], "the question is empty"),
        (["find"], "No such command 'find'. See: askagain --help"),
        (["data"], "See: askagain data --help"),
    ],
)
def test_a_wrong_command_line_is_one_line(
    arguments: list[str], expected: str, refused: Callable[..., str]
) -> None:
    assert expected in refused(*arguments)


def ending_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of a command that raises this."""
    broken = typer.Typer()

    @broken.command()
    def fail() -> None:
        raise error

    monkeypatch.setattr(app_module, "app", broken)
    return run([])


def test_an_error_of_ours_is_one_line_even_if_its_message_is_not(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ending_with(SettingsError("bad\nvalue \x1b[2J"), monkeypatch) == 2
    assert capfd.readouterr().err == "askagain: bad value  [2J\n"


def test_an_error_of_the_system_names_its_file(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ending_with(PermissionError(13, "Permission denied", "x.txt"), monkeypatch) == 2
    assert capfd.readouterr().err == "askagain: x.txt: Permission denied\n"


def test_an_interruption_says_that_one_can_go_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ending_with(KeyboardInterrupt(), monkeypatch) == 130
    assert capfd.readouterr().err.startswith("askagain: interrupted; ")


def test_a_mistake_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        ending_with(ZeroDivisionError(), monkeypatch)
