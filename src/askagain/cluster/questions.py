"""The questions of all shards, as far as a search needs them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from askagain.archive import Position
from askagain.cluster.placing import shard_of
from askagain.cluster.shard import Call
from askagain.cluster.shards import Shards
from askagain.question import Question


class ShardedQuestions:
    """Stands where rankers expect an archive."""

    def __init__(self, path: Path, shards: Shards) -> None:
        self.path = path
        self._shards = shards

    def by_numbers(self, numbers: Iterable[int]) -> dict[int, Question]:
        """The questions with these numbers; those that are not there are left out."""
        answers = self._shards.ask_all(Call("by_numbers", (list(numbers),)))
        return {number: question for some in answers.values() for number, question in some.items()}

    def get_many(self, ids: Iterable[str]) -> dict[str, Question]:
        """The questions with these ids; those that are not there are left out."""
        calls = self._by_shard("by_ids", ids)
        return {id: question for some in self._shards.ask(calls).values() for id, question in some.items()}

    def get(self, id: str) -> Question | None:
        """The question with this id, if there is one."""
        return self.get_many([id]).get(id)

    def numbers(self, ids: Iterable[str]) -> dict[str, int]:
        """The numbers of these ids; those that are not there are left out."""
        calls = self._by_shard("numbers", ids)
        return {id: number for some in self._shards.ask(calls).values() for id, number in some.items()}

    def __len__(self) -> int:
        return sum(self._shards.ask_all(Call("count")).values())

    @property
    def sequence(self) -> Position:
        """How far the log was followed."""
        return Position(self._shards.position, "")

    def _by_shard(self, method: str, ids: Iterable[str]) -> dict[int, Call]:
        parts: dict[int, list[str]] = {}
        for id in ids:
            parts.setdefault(shard_of(id, self._shards.count), []).append(id)
        return {shard: Call(method, (part,)) for shard, part in parts.items()}
