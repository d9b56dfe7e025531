"""Writes: questions are added, edited and deleted, one by one or as a stream."""

from __future__ import annotations

import uuid
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Header, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from askagain.question import Question
from askagain.service import bulk, values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, Served, Writer
from askagain.service.etags import check_match, etag_of
from askagain.service.paths import PathId
from askagain.service.problems import documented
from askagain.service.schemas import BulkResult, KeptQuestion, NewQuestion, QuestionText, Written
from askagain.service.state import Service

router = APIRouter(prefix="/v1", tags=["questions"])

IfMatch = Annotated[str | None, Header(max_length=1000)]


@router.post("/questions/bulk", response_model=BulkResult, responses=documented(), openapi_extra=bulk.BODY)
async def put_many(request: Request, service: Served, _: Writer) -> JsonAnswer:
    """Takes JSON Lines as they come in; bad lines are named, the good ones are kept."""
    bulk.check_media_type(request)

    async def write(lines: list[bulk.Line], result: BulkResult) -> None:
        await service.write_at_length(lambda: _written_lines(service, lines, result))

    result = await bulk.take(request.stream(), write)
    result.sequence = service.archive.sequence.seq
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
    return await service.write(lambda: _added(service, question))


@router.get("/questions/{id}", response_model=KeptQuestion, responses=documented(404))
async def get(id: PathId, service: Served, _: Reader) -> JsonAnswer:
    """A question with all its texts."""
    question = await service.read(lambda: service.archive.get(id))
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
    return await service.write(lambda: _put(service, question, if_match, if_none_match))


@router.delete("/questions/{id}", status_code=204, responses=documented(412))
async def delete(id: PathId, service: Served, _: Writer, if_match: IfMatch = None) -> Response:
    """Deletes a question, if it is there."""
    await service.write(lambda: _deleted(service, id, if_match))
    return Response(status_code=204)


def _added(service: Service, question: Question) -> JsonAnswer:
    archive = service.archive
    with archive.transaction():
        present = archive.get(question.id)
        if present is not None and present != question:
            raise HTTPException(
                409, "another question has this id: edit that one with PUT, or choose another id"
            )
        archive.put(question)
    return _written(service, question, changed=present is None, status=200 if present else 201)


def _put(service: Service, question: Question, if_match: str | None, if_none_match: str | None) -> JsonAnswer:
    archive = service.archive
    with archive.transaction():
        present = archive.get(question.id)
        check_match(present, if_match, if_none_match)
        changed = archive.put(question)
    return _written(service, question, changed=changed, status=200 if present else 201)


def _written(service: Service, question: Question, *, changed: bool, status: int) -> JsonAnswer:
    headers = {"ETag": etag_of(question), "Location": f"/v1/questions/{quote(question.id, safe='')}"}
    told = {"id": question.id, "sequence": service.archive.sequence.seq, "changed": changed}
    return JsonAnswer(told, status_code=status, headers=headers)


def _deleted(service: Service, id: str, if_match: str | None) -> None:
    with service.archive.transaction():
        check_match(service.archive.get(id), if_match)
        service.archive.delete(id)


def _written_lines(service: Service, lines: list[bulk.Line], result: BulkResult) -> None:
    archive = service.archive
    with archive.transaction():
        for line in lines:
            if isinstance(line, bulk.Deletion):
                result.deleted += archive.delete(line.delete)
                continue
            counts = archive.put_many([line.question(line.id)])
            result.added += counts.added
            result.changed += counts.changed
            result.unchanged += counts.unchanged
