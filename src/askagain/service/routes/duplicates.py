"""The moderators' queue: likely pairs, groups of repeated questions, and redirects."""

from __future__ import annotations

from bisect import bisect_right
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from askagain.calibration.wishes import LEAST_LIKELY
from askagain.mining.grouping import LEAST
from askagain.mining.pairs import LikelyPair
from askagain.mining.redirects import redirects, to_csv
from askagain.question import Match
from askagain.service import values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, Served
from askagain.service.groupcursors import Place, from_cursor, place_of, to_cursor
from askagain.service.problems import documented
from askagain.service.schemas import MOST_IN_PAGE, Groups, Pairs
from askagain.service.state import Service

router = APIRouter(prefix="/v1", tags=["duplicates"])

Least = Annotated[float | None, Query(ge=0.0, le=1.0, description="What is less likely is left out")]
Limit = Annotated[int, Query(ge=1, le=MOST_IN_PAGE)]
After = Annotated[str | None, Query(max_length=200, description="`next` of the page before")]
AfterGroup = Annotated[str | None, Query(max_length=1000, description="`next` of the page before")]


@router.get("/duplicates", response_model=Pairs, responses=documented())
async def duplicates(
    service: Served, _: Reader, min_probability: Least = None, limit: Limit = 20, after: After = None
) -> JsonAnswer:
    """Pairs that nobody has judged yet, the most likely ones first."""
    least = LEAST_LIKELY if min_probability is None else min_probability
    return JsonAnswer(await service.read(lambda: _page(service, least, limit, after)))


@router.get("/groups", response_model=Groups, responses=documented())
async def groups(
    service: Served, _: Reader, min_probability: Least = None, limit: Limit = 20, after: AfterGroup = None
) -> JsonAnswer:
    """Groups of questions that ask the same: those with something to confirm, then the others, by size."""
    least = LEAST if min_probability is None else min_probability
    start = from_cursor(after) if after is not None else None
    return JsonAnswer(await service.read(lambda: _groups(service, least, start, limit)))


@router.get(
    "/redirects.csv",
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}, **documented()},
    response_class=StreamingResponse,
)
async def redirect_table(service: Served, _: Reader) -> StreamingResponse:
    """From each confirmed duplicate to the canonical question of its group."""
    headers = {"Content-Disposition": 'attachment; filename="redirects.csv"'}
    lines = to_csv(redirects(service.archive))
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)


def _page(service: Service, least: float, limit: int, after: str | None) -> dict[str, Any]:
    if service.pairs is None:
        raise HTTPException(
            422, f"{service.engine.ranker.name} gives no probabilities: serve best, or train it"
        )
    page = service.pairs.page(least, limit, after)
    progress = service.pairs.progress()
    return {
        "pairs": [told for pair in page.pairs if (told := _told(service, pair)) is not None],
        "next": page.next,
        "progress": {"done": progress.done, "total": progress.total},
    }


def _told(service: Service, pair: LikelyPair) -> dict[str, Any] | None:
    """None if one of the two was deleted in the meantime."""
    questions = service.archive.get_many([pair.first, pair.second])
    if len(questions) < 2:
        return None
    first, second = questions[pair.first], questions[pair.second]
    explained = service.engine.explained(first, [Match(second.id, 0.0, pair.probability, question=second)])
    explanation = explained[0].explanation
    return {
        "first": values.brief(first),
        "second": values.brief(second),
        "probability": pair.probability,
        "reasons": values.reasons(explanation) if explanation else None,
    }


def _groups(service: Service, least: float, start: Place | None, limit: int) -> dict[str, Any]:
    found = service.grouping.groups(least)
    rest = sorted(found.all, key=place_of)
    if start is not None:
        rest = rest[bisect_right(rest, start, key=place_of) :]
    page = rest[:limit]
    return {
        "groups": [values.group(group) for group in found.whole(page)],
        "next": to_cursor(place_of(page[-1])) if len(rest) > limit else None,
    }
