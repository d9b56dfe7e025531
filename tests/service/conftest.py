"""What the tests of the service share: one that serves the sample forum."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from askagain import Archive
from askagain.sample import forum
from running_service import RunningService, running_service


@pytest.fixture(scope="module")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "forum.db"
    with Archive.open(path) as archive:
        forum.load_into(archive)
    return path


@pytest.fixture(scope="module")
def service(archive_path: Path) -> Iterator[RunningService]:
    with running_service(archive_path) as running:
        yield running


@pytest.fixture
def anybody(service: RunningService) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, timeout=30) as client:
        yield client


@pytest.fixture
def writer(service: RunningService) -> Iterator[httpx.Client]:
    with _keyed(service, service.writer) as client:
        yield client


@pytest.fixture
def moderator(service: RunningService) -> Iterator[httpx.Client]:
    with _keyed(service, service.moderator) as client:
        yield client


def _keyed(service: RunningService, key: str) -> httpx.Client:
    return httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=30)
