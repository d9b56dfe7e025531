"""Verdicts of people: marks on pairs, and feedback on suggestions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException
from starlette.responses import Response

from askagain.question import Feedback, Mark, Verdict
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Contributor, Moderator, Served
from askagain.service.problems import documented
from askagain.service.schemas import Id, Marked, NewFeedback, NewMark, Received

router = APIRouter(prefix="/v1", tags=["marks"])

QueryId = Annotated[Id, Query()]


@router.post("/marks", response_model=Marked, responses=documented(404))
async def mark(new: NewMark, service: Served, key: Moderator) -> JsonAnswer:
    """Marks a pair as duplicates, or as different, in place of an earlier mark."""
    if new.first == new.second:
        raise HTTPException(422, "a mark needs two questions")
    made = Mark(new.first, new.second, Verdict(new.verdict), who=key.name)
    changed = await service.write(lambda: service.archive.mark(made))
    return JsonAnswer({"changed": changed, "sequence": service.archive.sequence.seq})


@router.delete("/marks", status_code=204, responses=documented())
async def withdraw(first: QueryId, second: QueryId, service: Served, _: Moderator) -> Response:
    """Takes the mark of a pair back, if there is one."""
    await service.write(lambda: service.archive.withdraw(first, second))
    return Response(status_code=204)


@router.post("/feedback", response_model=Received, status_code=202, responses=documented(404))
async def feedback(new: NewFeedback, service: Served, key: Contributor) -> JsonAnswer:
    """Keeps what somebody said of a suggestion: it teaches the next training."""
    given = Feedback(new.title, new.body, new.id, Verdict(new.verdict), who=key.name)
    sequence = await service.write(lambda: service.archive.give_feedback(given))
    return JsonAnswer({"sequence": sequence}, status_code=202)
