"""Questions are added, read, edited and deleted, one by one or as a stream, whoever keeps them."""

from __future__ import annotations

import uuid
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Header, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from askagain.archive.writing import Check, Outcome
from askagain.question import Question
from askagain.service import bulk, values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, Writer
from askagain.service.etags import check_match, etag_of
from askagain.service.keeping import Kept
from askagain.service.paths import PathId
from askagain.service.problems import documented
from askagain.service.schemas import BulkResult, KeptQuestion, NewQuestion, QuestionText, Written

router = APIRouter(prefix="/v1", tags=["questions"])

IfMatch = Annotated[str | None, Header(max_length=1000)]


@router.post("/questions/bulk", response_model=BulkResult, responses=documented(), openapi_extra=bulk.BODY)
async def put_many(request: Request, keeper: Kept, _: Writer) -> JsonAnswer:
    """Takes JSON Lines as they come in; bad lines are named, the good ones are kept."""
    bulk.check_media_type(request)
    result = await bulk.take(request.stream(), keeper.write)
    return JsonAnswer(result.model_dump())


@router.post(
    "/questions",
    response_model=Written,
    status_code=201,
    responses={200: {"model": Written}, **documented(409)},
)
async def add(new: NewQuestion, keeper: Kept, _: Writer) -> JsonAnswer:
    """Adds a question; sent again with the same texts it changes nothing."""
    question = new.question(new.id or uuid.uuid4().hex)

    def check(present: Question | None) -> None:
        if present not in (None, question):
            raise HTTPException(
                409, "another question has this id: edit that one with PUT, or choose another id"
            )

    return _written(question, await keeper.put(question, check))


@router.get("/questions/{id}", response_model=KeptQuestion, responses=documented(404))
async def get(id: PathId, keeper: Kept, _: Reader) -> JsonAnswer:
    """A question with all its texts."""
    question = await keeper.get(id)
    if question is None:
        raise HTTPException(404, "there is no question with this id")
    return JsonAnswer(values.whole(question), headers={"ETag": etag_of(question)})


@router.put("/questions/{id}", response_model=Written, responses={201: {"model": Written}, **documented(412)})
async def put(
    id: PathId,
    text: QuestionText,
    keeper: Kept,
    _: Writer,
    if_match: IfMatch = None,
    if_none_match: IfMatch = None,
) -> JsonAnswer:
    """Adds or replaces a question."""
    question = text.question(id)
    return _written(question, await keeper.put(question, _matching(if_match, if_none_match)))


@router.delete("/questions/{id}", status_code=204, responses=documented(412))
async def delete(id: PathId, keeper: Kept, _: Writer, if_match: IfMatch = None) -> Response:
    """Deletes a question, if it is there."""
    await keeper.delete(id, _matching(if_match))
    return Response(status_code=204)


def _matching(if_match: str | None, if_none_match: str | None = None) -> Check:
    return lambda present: check_match(present, if_match, if_none_match)


def _written(question: Question, outcome: Outcome) -> JsonAnswer:
    headers = {"ETag": etag_of(question), "Location": f"/v1/questions/{quote(question.id, safe='')}"}
    told = {"id": question.id, "sequence": outcome.position, "changed": outcome.changed}
    return JsonAnswer(told, status_code=200 if outcome.before else 201, headers=headers)
