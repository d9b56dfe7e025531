"""`askagain` in this process: what a command prints and how it ends, without the seconds that a start takes.

Every command has a test with the real executable, too: see tests/e2e/executable.py.
"""

import io
import json
import subprocess
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import pytest

from askagain.cli.app import run

TERMINAL = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}


@dataclass(frozen=True)
class Outcomes:
    """What is expected of commands, however they are run."""

    run: Callable[..., subprocess.CompletedProcess[str]]

    def succeeded(self, *arguments: object, **options: Any) -> str:
        """What a command prints; the test fails unless its exit code is 0."""
        done = self.run(*arguments, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json_of(self, *arguments: object) -> Any:
        """What a command prints with --json."""
        return json.loads(self.succeeded(*arguments, "--json"))

    def refused(self, *arguments: object, **options: Any) -> str:
        """The one line with which a command gives up; the test fails if there is more, or another code."""
        done = self.run(*arguments, **options)
        assert done.returncode == 2, done.stdout + done.stderr
        assert done.stderr.startswith("askagain: ")
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr


def in_this_process(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end; nothing depends on the terminal that the tests run in."""
    command = [str(argument) for argument in arguments]
    output, errors = _stream(), _stream()
    code = _run(command, output, errors)
    return subprocess.CompletedProcess(command, code, _written(output), _written(errors))


def on_one_screen(*arguments: object) -> str:
    """What a command prints and what it remarks, in the order in which a terminal shows it."""
    screen = _stream()
    _run([str(argument) for argument in arguments], screen, screen)
    return _written(screen)


def _run(command: list[str], output: io.TextIOWrapper, errors: io.TextIOWrapper) -> int:
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        for name, value in TERMINAL.items():
            patch.setenv(name, value)
        return run(command)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace", newline="\n")


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


_here = Outcomes(in_this_process)
succeeded, json_of, refused = _here.succeeded, _here.json_of, _here.refused
