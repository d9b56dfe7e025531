"""Shards in this process: for a cluster on one machine, and to compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from askagain.closing import Closing
from askagain.cluster.copies import own_shard
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.shard import Answer, Call, Shard


class NearShards(Closing):
    """All shards of a generation, opened here from copies in a folder."""

    def __init__(self, folder: ClusterFolder, generation: Generation, root: Path) -> None:
        self._stack = ExitStack()
        self._shards: list[Shard] = []
        with ExitStack() as stack:
            for number in range(generation.shards):
                self._shards.append(stack.enter_context(own_shard(root, folder, generation, number)))
            self._stack = stack.pop_all()

    @property
    def shards(self) -> int:
        """How many there are."""
        return len(self._shards)

    def ask(self, position: int, calls: Mapping[int, Sequence[Call]]) -> dict[int, Answer]:
        """Asks one after the other."""
        return {shard: self._shards[shard].answer(position, some) for shard, some in calls.items()}

    def close(self) -> None:
        """Close them all."""
        self._stack.close()
