"""Fixtures shared by all tests."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from support import require

# Kernels are compiled on first use and machines are shared: a slow example is not a wrong one.
settings.register_profile("askagain", deadline=None)
settings.load_profile("askagain")

REPOSITORY = Path(__file__).parent.parent
BROWSER_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MILLISECONDS_TO_WAIT = 20_000  # machines are shared

# Whole files are dealt out to the workers in the order of the tests. Folders with files that take long come
# first: one that began last would keep its worker busy when the others have nothing left to do.
LONG_FILES_IN = ("cluster", "e2e", "docs", "lexical", "service", "client", "training", "mining", "rerank")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    folder = item.path.relative_to(REPOSITORY / "tests").parts[0]
    return LONG_FILES_IN.index(folder) if folder in LONG_FILES_IN else len(LONG_FILES_IN)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the real question sets."""
    folder = Path(os.environ.get("ASKAGAIN_DATA", REPOSITORY.parent / "shared" / "data"))
    require(folder.is_dir(), f"no real data at {folder}; set ASKAGAIN_DATA to the folder that holds the sets")
    return folder


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """Compiles the kernels that are not kept from earlier."""
    subprocess.run([sys.executable, "-m", "askagain.warmup"], check=True, timeout=280)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; a process can drive one only."""
    chromium = shutil.which("chromium")
    require(chromium is not None, "no chromium: install it to test the page")
    with sync_playwright() as playwright:
        expect.set_options(timeout=MILLISECONDS_TO_WAIT)
        launched = playwright.chromium.launch(executable_path=chromium, args=list(BROWSER_OPTIONS))
        yield launched
        launched.close()
