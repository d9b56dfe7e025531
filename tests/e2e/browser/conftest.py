"""What the tests of the page share: one browser, one service on the sample forum."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser
from visiting import Visitor, load_half, served, visiting

from askagain import Archive
from askagain.archive.records import Scope
from askagain.question import Question, Verdict
from running_service import RunningService

SECONDS_TO_LOOK = 200.0


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    with visiting(browser) as made:
        yield made


@pytest.fixture(scope="session")
def forum_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half of the sample forum, whose computer people have not confirmed any duplicate yet."""
    path = tmp_path_factory.mktemp("browser") / "forum.db"
    with Archive.open(path) as archive:
        load_half(archive)
        for mark in list(archive.marks(Verdict.DUPLICATE)):
            if mark.first.startswith("computers-"):
                archive.withdraw(mark.first, mark.second)
    return path


@pytest.fixture(scope="session")
def forum(forum_path: Path) -> Iterator[RunningService]:
    with served(forum_path) as service:
        yield service


@pytest.fixture(scope="session")
def read_key(forum_path: Path) -> str:
    with Archive.open(forum_path) as archive:
        return archive.add_key("reader", Scope.READ)


@pytest.fixture(scope="session")
def looked_through(forum: RunningService) -> RunningService:
    """The service once its queue is complete."""
    until = time.monotonic() + SECONDS_TO_LOOK
    while time.monotonic() < until:
        progress = httpx.get(f"{forum.url}/v1/duplicates?limit=1").json()["progress"]
        if progress["done"] == progress["total"]:
            return forum
        time.sleep(0.2)
    raise AssertionError("the queue is not complete")


@pytest.fixture(scope="session")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A forum with a single question, which nobody reads without a key."""
    path = tmp_path_factory.mktemp("keyed") / "forum.db"
    with Archive.open(path) as archive:
        archive.add(Question("How do I descale a kettle?", id="1", answer="With vinegar."))
    with served(path, 'reads = "keyed"\n') as service:
        yield service
