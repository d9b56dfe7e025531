"""Archives over which fused systems are tried."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from forum_of_words import FORUM

from askagain.archive import Archive
from askagain.fusion.gathering import Gatherer
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.sample import forum
from askagain.systems import load_system
from askagain.views import Views


@pytest.fixture(scope="session")
def best() -> FusedSystem:
    """The default system."""
    system = load_system("best")
    assert isinstance(system, FusedSystem)
    return system


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """The small forum, for tests that change it."""
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(FORUM)
        yield archive


@pytest.fixture
def views(archive: Archive) -> Views:
    return Views(archive, durable=False)


@pytest.fixture
def gatherer(best: FusedSystem, views: Views) -> Gatherer:
    return gatherer_of(best, views, {})


@pytest.fixture(scope="session")
def sample_views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Views]:
    """The sample forum, which no test changes."""
    with Archive.open(tmp_path_factory.mktemp("sample") / "forum.db") as archive:
        forum.load_into(archive)
        yield Views(archive, durable=False)
