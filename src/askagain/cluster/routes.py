"""What a cluster's HTTP service answers: searches, and reads and writes of questions."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Header, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from askagain.cluster.desk import Check, Desk, Outcome
from askagain.cluster.gateway import Asked as AskedOfCluster
from askagain.cluster.layout import shard_name
from askagain.cluster.log import Delete
from askagain.cluster.service import ClusterService
from askagain.question import Question
from askagain.service import bulk, values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, Writer, service_of
from askagain.service.etags import check_match, etag_of
from askagain.service.paths import PathId
from askagain.service.problems import documented
from askagain.service.schemas import (
    Asked,
    BulkResult,
    Health,
    KeptQuestion,
    NewQuestion,
    QuestionText,
    Suggestions,
    Written,
)
from askagain.version import VERSION

router = APIRouter(prefix="/v1")
health = APIRouter(tags=["health"])

Served = Annotated[ClusterService, Depends(service_of)]
IfMatch = Annotated[str | None, Header(max_length=1000)]


class ClusterSuggestions(Suggestions):
    """The answer to a search; what the shards that are named hold was not looked at."""

    partial: bool = Field(description="Whether shards were missing")
    missing: list[str] = Field(description="Shards that did not answer")
    generation: int


class ClusterAbout(BaseModel):
    """What is served."""

    name: str
    version: str
    system: str
    generation: int
    shards: int
    questions: int


@router.post("/similar", response_model=ClusterSuggestions, responses=documented())
async def similar(asked: Asked, service: Served, _: Reader) -> JsonAnswer:
    """The earlier questions that the same answer may settle, for one that is being typed."""
    if asked.system not in (None, service.system):
        raise HTTPException(422, f"this cluster searches with {service.system} only")
    question = asked.question()
    least = service.threshold if asked.min_probability is None else asked.min_probability
    found = await service.search(AskedOfCluster(question, asked.k, least, explained=asked.explain))
    return JsonAnswer(
        {
            "matches": [values.suggestion(match) for match in found.matches if match.question is not None],
            "system": service.system,
            "threshold": service.threshold,
            "calibrated": service.calibrated,
            "sequence": found.position,
            "partial": bool(found.missing),
            "missing": [shard_name(shard) for shard in found.missing],
            "generation": found.generation,
        }
    )


@router.get("/about", response_model=ClusterAbout, responses=documented())
async def about(service: Served, _: Reader) -> JsonAnswer:
    """The generation that is served, and how large it is."""
    questions = await service.at_desk(lambda desk: desk.count())
    generation = service.generation
    return JsonAnswer(
        {
            "name": "askagain",
            "version": VERSION,
            "system": service.system,
            "generation": generation.number,
            "shards": generation.shards,
            "questions": questions,
        }
    )


@router.post("/questions/bulk", response_model=BulkResult, responses=documented(), openapi_extra=bulk.BODY)
async def put_many(request: Request, service: Served, _: Writer) -> JsonAnswer:
    """Takes JSON Lines as they come in; bad lines are named, the good ones are kept."""
    bulk.check_media_type(request)

    async def write(lines: list[bulk.Line], result: BulkResult) -> None:
        await service.at_desk(lambda desk: _written_lines(desk, lines, result))

    result = await bulk.take(request.stream(), write)
    # Tells where the log stands, also if there was nothing to write.
    await write([], result)
    return JsonAnswer(result.model_dump())


@router.post(
    "/questions",
    response_model=Written,
    status_code=201,
    responses={200: {"model": Written}, **documented(409)},
)
async def add(new: NewQuestion, service: Served, _: Writer) -> JsonAnswer:
    """Adds a question; sent again with the same texts it changes nothing."""
    question = new.question(new.id or uuid.uuid4().hex)

    def check(present: Question | None) -> None:
        if present not in (None, question):
            raise HTTPException(
                409, "another question has this id: edit that one with PUT, or choose another id"
            )

    return _written(question, await service.at_desk(lambda desk: desk.put(question, check)))


@router.get("/questions/{id}", response_model=KeptQuestion, responses=documented(404))
async def get(id: PathId, service: Served, _: Reader) -> JsonAnswer:
    """A question with all its texts."""
    question = await service.at_desk(lambda desk: desk.get(id))
    if question is None:
        raise HTTPException(404, "there is no question with this id")
    return JsonAnswer(values.whole(question), headers={"ETag": etag_of(question)})


@router.put("/questions/{id}", response_model=Written, responses={201: {"model": Written}, **documented(412)})
async def put(
    id: PathId,
    text: QuestionText,
    service: Served,
    _: Writer,
    if_match: IfMatch = None,
    if_none_match: IfMatch = None,
) -> JsonAnswer:
    """Adds or replaces a question."""
    question = text.question(id)
    check = _matching(if_match, if_none_match)
    return _written(question, await service.at_desk(lambda desk: desk.put(question, check)))


@router.delete("/questions/{id}", status_code=204, responses=documented(412))
async def delete(id: PathId, service: Served, _: Writer, if_match: IfMatch = None) -> Response:
    """Deletes a question, if it is there."""
    await service.at_desk(lambda desk: desk.delete(id, _matching(if_match)))
    return Response(status_code=204)


@health.get("/healthz", response_model=Health)
async def healthz() -> JsonAnswer:
    """Whether the process lives."""
    return JsonAnswer({"status": "alive"})


@health.get("/readyz", response_model=Health, responses=documented())
async def readyz(service: Served) -> JsonAnswer:
    """Whether searches can be answered."""
    return JsonAnswer({"status": "ready", "generation": service.generation.number})


def _matching(if_match: str | None, if_none_match: str | None = None) -> Check:
    return lambda present: check_match(present, if_match, if_none_match)


def _written(question: Question, outcome: Outcome) -> JsonAnswer:
    headers = {"ETag": etag_of(question), "Location": f"/v1/questions/{quote(question.id, safe='')}"}
    told = {"id": question.id, "sequence": outcome.position, "changed": outcome.changed}
    return JsonAnswer(told, status_code=200 if outcome.before else 201, headers=headers)


def _written_lines(desk: Desk, lines: Iterable[bulk.Line], result: BulkResult) -> None:
    writes: list[Question | Delete] = [
        Delete(line.delete) if isinstance(line, bulk.Deletion) else line.question(line.id) for line in lines
    ]
    counts, deleted, position = desk.put_many(writes)
    result.added += counts.added
    result.changed += counts.changed
    result.unchanged += counts.unchanged
    result.deleted += deleted
    result.sequence = position
