"""Small archives, and the sample forum with its likely pairs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from overlap_ranker import OverlapRanker, engine_of

from askagain import Archive, Engine, Question
from askagain.mining.pairs import LikelyPairs

FORUM = [
    Question(id="boot", title="boot from usb stick"),
    Question(id="start", title="start from usb stick please"),
    Question(id="usb", title="usb"),
    Question(id="rice", title="sticky rice"),
    Question(id="pasta", title="sticky pasta"),
]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many(FORUM)
        yield archive


@pytest.fixture
def ranker(archive: Archive) -> OverlapRanker:
    return OverlapRanker(archive)


@pytest.fixture
def engine(archive: Archive, ranker: OverlapRanker) -> Engine:
    return engine_of(archive, ranker)


@pytest.fixture
def pairs(engine: Engine) -> Iterator[LikelyPairs]:
    """Nothing has been searched for yet."""
    with LikelyPairs.open(engine) as pairs:
        yield pairs
