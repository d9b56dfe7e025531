"""Small clusters, and ways to reach them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from askagain import Archive, Match, Question
from askagain.closing import Closing
from askagain.cluster.desk import Desk
from askagain.cluster.gateway import Asked, ShardedEngine
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.near import NearShards
from askagain.cluster.shard import Answer, Call

_VERBS = ("boot", "format", "mount", "encrypt", "wipe")
_THINGS = ("a USB stick", "an old laptop", "the second disk", "a phone", "my server", "a camera")

FORUM = [
    Question(id=f"{verb}-{number}", title=f"How do I {verb} {thing}?", body=f"It says error {number}.")
    for verb in _VERBS
    for number, thing in enumerate(_THINGS)
]
"""30 questions; many have equal scores."""

RECIPE = """name = "mine"
description = "Few words"
[similarity]
name = "bm25"
[fields]
title = 2.0
[analyzer]
stop_words = "english"
"""
"""A system of one's own."""


MEGABYTES = 1_000_000


@dataclass
class DyingNode:
    """A node that joins a Ray cluster, and is killed at the first word of progress."""

    ray_cluster: Any
    died: bool = False
    node: Any = None

    def __post_init__(self) -> None:
        self.node = self.ray_cluster.add_node(num_cpus=2, object_store_memory=100 * MEGABYTES)

    def at_first_progress(self, *told: object) -> None:
        if not self.died:
            self.died = True
            self.ray_cluster.remove_node(self.node, allow_graceful=False)


def anything(present: Question | None) -> None:
    """Whatever is there may be written over."""


def make_archive(path: Path, questions: Sequence[Question] = FORUM) -> Path:
    with Archive.open(path) as archive:
        archive.put_many(questions)
    return path


@contextmanager
def searching(cluster: ClusterFolder, copies: Path) -> Iterator[ShardedEngine]:
    """An engine over shards in this process."""
    generation = cluster.current
    with ShardedEngine(cluster, generation, NearShards(cluster, generation, copies)) as engine:
        yield engine


@contextmanager
def writing(cluster: ClusterFolder, copies: Path) -> Iterator[Desk]:
    """A desk at shards in this process."""
    generation = cluster.current
    with Desk(cluster, generation, NearShards(cluster, generation, copies)) as desk:
        yield desk


def told(matches: Sequence[Match]) -> list[tuple[str, float, float | None]]:
    """What must be the same on one machine and on many."""
    return [(match.id, match.score, match.probability) for match in matches]


def found(engine: ShardedEngine, title: str, k: int = 10) -> list[tuple[str, float, float | None]]:
    return told(engine.search(Asked(Question(title=title), k)).matches)


class LosingShards(Closing):
    """Shards of which some are away, as if their nodes had died, or begin anew."""

    def __init__(self, cluster: ClusterFolder, copies: Path) -> None:
        self._open = partial(NearShards, cluster, cluster.current, copies)
        self._near = self._open()
        self.away: set[int] = set()

    @property
    def shards(self) -> int:
        return self._near.shards

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        present = {shard: some for shard, some in calls.items() if shard not in self.away}
        return self._near.ask(position, present)

    def begin_anew(self) -> None:
        self._near.close()
        self._near = self._open()

    def close(self) -> None:
        self._near.close()
