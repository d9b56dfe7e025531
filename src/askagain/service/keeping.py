"""Who keeps the questions of a service: an archive here, the shards of a cluster elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

from fastapi import Depends, Request

from askagain.archive.writing import Check, Outcome
from askagain.question import Question
from askagain.service.auth import service_of
from askagain.service.bulk import Deletion, Line
from askagain.service.schemas import BulkResult
from askagain.service.state import Service


class Keeper(Protocol):
    """Reads and writes questions for the routes; a write is durable when it returns."""

    async def get(self, id: str) -> Question | None:
        """The question with this id, if there is one."""

    async def put(self, question: Question, check: Check) -> Outcome:
        """Adds or replaces a question, if the check does not object to what is there."""

    async def delete(self, id: str, check: Check) -> None:
        """Deletes a question, if it is there and the check does not object."""

    async def write(self, lines: list[Line], result: BulkResult) -> None:
        """Writes lines of a stream; the result is told what became of them, and the last change's number."""


KeeperOf = Callable[[Any], Keeper]
"""The keeper of an application's service."""


async def keeper_of(request: Request) -> Keeper:
    """That of the service that answers, once it is ready."""
    make: KeeperOf = request.app.state.keeper_of
    return make(await service_of(request))


Kept = Annotated[Keeper, Depends(keeper_of)]


class ArchiveKeeper:
    """Keeps questions in the archive of a service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._archive = service.archive

    async def get(self, id: str) -> Question | None:
        """The question with this id, if there is one."""
        return await self._service.read(lambda: self._archive.get(id))

    async def put(self, question: Question, check: Check) -> Outcome:
        """Adds or replaces a question, if the check does not object to what is there."""
        return await self._service.write(lambda: self._put(question, check))

    async def delete(self, id: str, check: Check) -> None:
        """Deletes a question, if it is there and the check does not object."""
        await self._service.write(lambda: self._delete(id, check))

    async def write(self, lines: list[Line], result: BulkResult) -> None:
        """Writes lines of a stream in one transaction."""
        if lines:
            await self._service.write_at_length(lambda: self._write(lines, result))
        result.sequence = self._archive.sequence.seq

    def _put(self, question: Question, check: Check) -> Outcome:
        with self._archive.transaction():
            before = self._archive.get(question.id)
            check(before)
            changed = self._archive.put(question)
        return Outcome(before, changed, self._archive.sequence.seq)

    def _delete(self, id: str, check: Check) -> None:
        with self._archive.transaction():
            check(self._archive.get(id))
            self._archive.delete(id)

    def _write(self, lines: list[Line], result: BulkResult) -> None:
        with self._archive.transaction():
            for line in lines:
                if isinstance(line, Deletion):
                    result.deleted += self._archive.delete(line.delete)
                else:
                    result.count(self._archive.put_many([line.question(line.id)]))
