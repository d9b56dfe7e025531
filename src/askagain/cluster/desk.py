"""Reads and writes of single questions in a cluster: each one at the end of the log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from askagain.archive import PutCounts
from askagain.archive.hygiene import clean_question
from askagain.archive.writing import Check, Outcome
from askagain.closing import Closing
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.log import Delete, Write, numbered
from askagain.cluster.questions import ShardedQuestions
from askagain.cluster.shards import Transport, opened, settled
from askagain.errors import UnreachableError
from askagain.question import Question

Result = TypeVar("Result")


class Desk(Closing):
    """One thread at a time is served.

    After `give_up_at`, a time of the monotonic clock, nothing is written for whoever is served just now.
    """

    def __init__(self, folder: ClusterFolder, generation: Generation, transport: Transport) -> None:
        self._shards = opened(folder, generation, transport)
        self._questions = ShardedQuestions(folder.path, self._shards)
        self._lock = threading.Lock()
        self.give_up_at: float | None = None

    def close(self) -> None:
        """Let go of the shards."""
        self._shards.close()

    def get(self, id: str) -> Question | None:
        """The question with this id, if there is one."""
        return self._read(lambda: self._questions.get(id))

    def count(self) -> int:
        """How many questions there are."""
        return self._read(lambda: len(self._questions))

    def put(self, question: Question, check: Check) -> Outcome:
        """Adds or replaces a question, if the check does not object to what is there."""
        question = clean_question(question)

        def decide(present: Question | None, number: int) -> Sequence[Write]:
            return [] if present == question else numbered([question], number)

        return self._write(question.id, check, decide)

    def delete(self, id: str, check: Check) -> Outcome:
        """Deletes a question, if it is there and the check does not object."""
        return self._write(id, check, lambda present, _: [] if present is None else [Delete(id)])

    def put_many(self, writes: Sequence[Question | Delete]) -> tuple[PutCounts, int, int]:
        """Many writes in one entry of the log; gives counts, how many were deleted, and the position."""
        writes = [write if isinstance(write, Delete) else clean_question(write) for write in writes]
        counts, deleted = PutCounts(), 0

        def decide(number: int) -> Sequence[Write]:
            nonlocal counts, deleted
            counts, deleted = PutCounts(), 0
            present = self._present(write.id for write in writes)
            made: list[Write] = []
            for write in writes:
                before = present.get(write.id)
                if isinstance(write, Delete):
                    deleted += before is not None
                    made += [write] if before is not None else []
                    present.pop(write.id, None)
                    continue
                counts += PutCounts(before is None, before not in (None, write), before == write)
                made += numbered([write], number + len(made)) if before != write else []
                present[write.id] = write
            return made

        with self._lock:
            position = self._shards.write(decide, self.give_up_at)
        return counts, deleted, position

    def _write(
        self, id: str, check: Check, decide: Callable[[Question | None, int], Sequence[Write]]
    ) -> Outcome:
        before: Question | None = None
        writes: Sequence[Write] = ()

        def decided(number: int) -> Sequence[Write]:
            nonlocal before, writes
            before = self._present([id]).get(id)
            check(before)
            writes = decide(before, number)
            return writes

        with self._lock:
            position = self._shards.write(decided, self.give_up_at)
        return Outcome(before, bool(writes), position)

    def _present(self, ids: Iterable[str]) -> dict[str, Question]:
        """What is there of these; nobody may write over what cannot be seen."""
        self._shards.begin_anew()
        found = self._questions.get_many(dict.fromkeys(ids))
        self._check_complete()
        return found

    def _read(self, read: Callable[[], Result]) -> Result:
        def at_the_end() -> Result:
            self._shards.begin_anew()
            self._shards.catch_up()
            return read()

        with self._lock:
            result = settled(at_the_end, self.give_up_at)
            self._check_complete()
            return result

    def _check_complete(self) -> None:
        if self._shards.missing:
            missing = ", ".join(f"shard {shard}" for shard in sorted(self._shards.missing))
            raise UnreachableError(f"{missing} cannot be reached: try again later")
