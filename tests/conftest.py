"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from support import require

# Kernels are compiled on first use and machines are shared: a slow example is not a wrong one.
settings.register_profile("askagain", deadline=None)
settings.load_profile("askagain")

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the real question sets."""
    folder = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
    require(folder.is_dir(), f"no real data at {folder}; set ASKAGAIN_DATA to the folder that holds the sets")
    return folder
