"""How long one waits before anything happens, and what is there without a command."""

import subprocess
import sys
from pathlib import Path

import pytest
from executable import ASKAGAIN, askagain, seconds_of_work, succeeded

from askagain import __version__

SECONDS_OF_NUMBA = 0.33
HEAVY = {"lxml", "numba", "numpy", "scipy", "selectolax"}


def starts_within(seconds: float, command: list[str], tries: int = 6) -> bool:
    """On a machine where numba loads in `SECONDS_OF_NUMBA`; both are run in turn, for the pace may change."""
    start, numba = float("inf"), float("inf")
    for _ in range(tries):
        start = min(start, seconds_of_work(command))
        numba = min(numba, seconds_of_work([sys.executable, "-c", "import numba"]))
        if start / numba < seconds / SECONDS_OF_NUMBA:
            return True
    return False


def test_the_library_is_imported_in_half_a_second() -> None:
    assert starts_within(0.5, [sys.executable, "-c", "import askagain"])


def test_help_is_there_in_half_a_second() -> None:
    assert starts_within(0.5, [ASKAGAIN, "--help"])


def test_a_cold_search_takes_less_than_a_second_and_a_half(sample_archive: Path) -> None:
    assert starts_within(1.5, [ASKAGAIN, "search", "How do I leave vim?", "--archive", str(sample_archive)])


@pytest.mark.parametrize("command", ["--help", "systems"])
def test_what_needs_no_arrays_loads_no_heavy_library(command: str) -> None:
    code = f"""
import sys
from askagain.cli.app import run
run([{command!r}])
print({HEAVY!r} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("\nset()\n")


def test_no_search_of_a_warm_installation_compiles(sample_archive: Path) -> None:
    done = askagain("search", "How do I leave vim?", "--archive", sample_archive, "--explain")

    assert "preparing" not in done.stderr


def test_version() -> None:
    assert succeeded("--version") == f"askagain {__version__}\n"


def test_without_a_command_the_help_is_shown() -> None:
    assert "askagain COMMAND --help" in succeeded()
