"""What the tests of the client share."""

from collections.abc import Iterator

import pytest

from askagain import Archive
from askagain.sample import forum
from running_service import RunningService, running_service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The sample forum, served."""
    archive = tmp_path_factory.mktemp("served") / "forum.db"
    with Archive.open(archive, create=True) as opened:
        forum.load_into(opened)
    with running_service(archive) as running:
        yield running
