"""Fixtures for the tests of the command line's parts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askagain import Archive
from askagain.cli.app import run
from askagain.sample import forum

Command = Callable[..., str]


@pytest.fixture
def succeeded(capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in this process and gives what it printed."""

    def call(*arguments: object) -> str:
        assert run([str(argument) for argument in arguments]) == 0
        return capfd.readouterr().out

    return call


@pytest.fixture
def json_of(succeeded: Command) -> Callable[..., Any]:
    """Runs a command with --json and gives the value that it printed."""
    return lambda *arguments: json.loads(succeeded(*arguments, "--json"))


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command that must give up, and gives its one line."""

    def call(*arguments: object) -> str:
        assert run([str(argument) for argument in arguments]) == 2
        errors = capfd.readouterr().err
        assert errors.count("\n") == 1, errors
        return errors

    return call


@pytest.fixture(scope="session")
def sample_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample forum."""
    path = tmp_path_factory.mktemp("sample") / "forum.db"
    with Archive.open(path) as archive:
        forum.load_into(archive)
    return path
