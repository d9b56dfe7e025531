"""The shards of a cluster as the keeper of the questions that its HTTP service reads and writes."""

from __future__ import annotations

from askagain.archive.writing import Check, Outcome
from askagain.cluster.log import Delete
from askagain.cluster.service import ClusterService
from askagain.question import Question
from askagain.service.bulk import Deletion, Line
from askagain.service.schemas import BulkResult


class ShardsKeeper:
    """Keeps questions at the desk of a service."""

    def __init__(self, service: ClusterService) -> None:
        self._service = service

    async def get(self, id: str) -> Question | None:
        """The question with this id, if there is one."""
        return await self._service.at_desk(lambda desk: desk.get(id))

    async def put(self, question: Question, check: Check) -> Outcome:
        """Adds or replaces a question, if the check does not object to what is there."""
        return await self._service.at_desk(lambda desk: desk.put(question, check))

    async def delete(self, id: str, check: Check) -> None:
        """Deletes a question, if it is there and the check does not object."""
        await self._service.at_desk(lambda desk: desk.delete(id, check))

    async def write(self, lines: list[Line], result: BulkResult) -> None:
        """Writes lines of a stream in one entry of the log."""
        writes = [
            Delete(line.delete) if isinstance(line, Deletion) else line.question(line.id) for line in lines
        ]
        counts, deleted, position = await self._service.at_desk(lambda desk: desk.put_many(writes))
        result.count(counts)
        result.deleted += deleted
        result.sequence = position
