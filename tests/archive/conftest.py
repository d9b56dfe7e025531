"""Fixtures for the tests of the archive."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from askagain.archive import Archive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test's archive is or will be."""
    return tmp_path / "forum.db"


@pytest.fixture
def archive(path: Path) -> Iterator[Archive]:
    """A new, empty archive."""
    with Archive.open(path) as archive:
        yield archive
