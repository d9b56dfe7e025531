"""A part of the sample forum, looked at once, and a system that learns from it in a moment."""

from collections.abc import Iterator

import pytest

from askagain import Archive
from askagain.fusion.gathering import Gatherer
from askagain.fusion.making import gatherer_of
from askagain.fusion.recipe import FusedSystem
from askagain.question import Mark
from askagain.reporting.candidates import Candidates, candidates_of, marked_questions
from askagain.sample import forum
from askagain.systems import load_system
from askagain.views import Views

QUICK = {"learning.methods": "logistic", "learning.folds": 3, "learning.queries": 120, "fusion.depth": 8}


@pytest.fixture(scope="session")
def system() -> FusedSystem:
    """The default system, in small."""
    best = load_system("best")
    assert isinstance(best, FusedSystem)
    return best.with_parameters(QUICK)


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """The sample forum with all its marks."""
    with Archive.open(tmp_path_factory.mktemp("reporting") / "forum.db") as opened:
        forum.load_into(opened)
        yield opened


@pytest.fixture(scope="session")
def marks(archive: Archive) -> list[Mark]:
    """As the archive has them: the earlier question first."""
    return list(archive.marks())


@pytest.fixture(scope="session")
def gatherer(archive: Archive, system: FusedSystem) -> Iterator[Gatherer]:
    """Searches the sample forum."""
    views = Views(archive, durable=False)
    yield gatherer_of(system, views, {})
    views.close()


@pytest.fixture(scope="session")
def candidates(archive: Archive, marks: list[Mark], gatherer: Gatherer, system: FusedSystem) -> Candidates:
    """What a search returns for some of the marked questions."""
    marked = marked_questions(marks, archive.questions(), system.learning.queries, seed=0)
    return candidates_of(gatherer, marked)
