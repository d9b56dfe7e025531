"""Searches: has this been asked before?"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException

from askagain.question import Match, Question
from askagain.service import values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, Served
from askagain.service.metrics import SILENCES, SUGGESTIONS
from askagain.service.paths import PathId
from askagain.service.problems import documented
from askagain.service.schemas import LONGEST_TITLE, MOST_MATCHES, Asked, Suggestions
from askagain.service.state import Service

router = APIRouter(prefix="/v1", tags=["search"])

# Proxies cut long addresses off; longer texts are posted.
_LONGEST_IN_ADDRESS = 2_000

Many = Annotated[int, Query(ge=1, le=MOST_MATCHES, description="How many matches at most")]
Least = Annotated[float | None, Query(ge=0.0, le=1.0, description="What is less likely is left out")]


@router.post("/similar", response_model=Suggestions, responses=documented(404))
async def similar(asked: Asked, service: Served, _: Reader) -> JsonAnswer:
    """The earlier questions that the same answer may settle, for one that is being typed."""
    return await _found(
        service, asked.question(), asked.k, asked.min_probability, asked.explain, asked.system
    )


@router.get("/similar", response_model=Suggestions, responses=documented(404))
async def similar_to(
    service: Served,
    _: Reader,
    title: Annotated[str, Query(max_length=LONGEST_TITLE)],
    body: Annotated[str, Query(max_length=_LONGEST_IN_ADDRESS)] = "",
    k: Many = 5,
    min_probability: Least = None,
    explain: bool = True,
    system: Annotated[str | None, Query(max_length=100)] = None,
) -> JsonAnswer:
    """The same for simple clients."""
    return await _found(service, Question(title=title, body=body), k, min_probability, explain, system)


@router.get("/questions/{id}/similar", response_model=Suggestions, responses=documented(404))
async def related(
    service: Served, _: Reader, id: PathId, k: Many = 5, min_probability: Least = None, explain: bool = True
) -> JsonAnswer:
    """Questions that are similar to one of the archive, for its page."""
    question = await service.read(lambda: service.archive.get(id))
    if question is None:
        raise HTTPException(404, "there is no question with this id")
    return await _found(service, question, k, min_probability, explain, None)


async def _found(
    service: Service, question: Question, k: int, least: float | None, explain: bool, system: str | None
) -> JsonAnswer:
    matches = await service.search(question, k, least, explain=explain, system=system)
    _count(matches)
    return JsonAnswer(
        {
            "matches": [values.suggestion(match) for match in matches if match.question is not None],
            "system": system or service.engine.ranker.name,
            "threshold": service.threshold,
            "calibrated": service.calibrated,
            "sequence": service.archive.sequence.seq,
        }
    )


def _count(matches: list[Match]) -> None:
    if matches:
        SUGGESTIONS.inc(len(matches))
    else:
        SILENCES.inc()
