"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent


def require(present: bool, what: str) -> None:
    """A missing component fails the run in CI and skips the test, with the remedy, elsewhere."""
    if present:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"missing in CI: {what}")
    pytest.skip(what)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the real question sets."""
    folder = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
    require(folder.is_dir(), f"no real data at {folder}; set ASKAGAIN_DATA to the folder that holds the sets")
    return folder
