"""The real `askagain`, run as a user runs it."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ASKAGAIN = shutil.which("askagain", path=str(Path(sys.executable).parent)) or "askagain"


def askagain(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end; nothing depends on the terminal that the tests run in."""
    command = [ASKAGAIN, *map(str, arguments)]
    return subprocess.run(
        command, env=environment(), capture_output=True, text=True, encoding="utf-8", timeout=120, **options
    )


def environment() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}


def succeeded(*arguments: object, **options: Any) -> str:
    """What a command prints; the test fails unless its exit code is 0."""
    done = askagain(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def json_of(*arguments: object) -> Any:
    """What a command prints with --json."""
    return json.loads(succeeded(*arguments, "--json"))


def refused(*arguments: object, **options: Any) -> str:
    """The one line with which a command gives up; the test fails if there is more, or another exit code."""
    done = askagain(*arguments, **options)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("askagain: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def best_seconds(command: list[str], enough: float, tries: int = 4) -> float:
    """The shortest of some runs: the machine has other things to do. Stops when it is short enough."""
    best = float("inf")
    for _ in range(tries):
        if best < enough:
            break
        best = min(best, _seconds(command))
    return best


def _seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environment(), capture_output=True, check=True, timeout=120)
    return time.perf_counter() - started
