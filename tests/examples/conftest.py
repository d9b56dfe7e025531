"""What the tests of the examples share."""

from collections.abc import Iterator

import pytest

from running_service import RunningService, running_service


@pytest.fixture(scope="session")
def archive_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with an archive that is empty at first."""
    with running_service(tmp_path_factory.mktemp("served") / "forum.db") as running:
        yield running
