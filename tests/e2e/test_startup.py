"""How long one waits before anything happens, and what is there without a command."""

import subprocess
import sys
from pathlib import Path

import pytest
from executable import ASKAGAIN, askagain, best_seconds, succeeded

from askagain import __version__

SECONDS_OF_NUMBA = 0.33
HEAVY = {"lxml", "numba", "numpy", "scipy", "selectolax"}


def starts_within(seconds: float, command: list[str]) -> bool:
    """On a machine that is busy just now everything takes longer: the library that loads longest, too."""
    taken = best_seconds(command, enough=seconds)
    if taken < seconds:
        return True
    busy = best_seconds([sys.executable, "-c", "import numba"], enough=0.0) / SECONDS_OF_NUMBA
    return taken < seconds * busy


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
