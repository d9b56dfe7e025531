"""What a cluster's HTTP service answers in its own way; questions are read and written as everywhere."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from askagain.cluster.gateway import Asked as AskedOfCluster
from askagain.cluster.layout import shard_name
from askagain.cluster.service import ClusterService
from askagain.service import values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, service_of
from askagain.service.problems import documented
from askagain.service.schemas import Asked, Health, Suggestions
from askagain.version import VERSION

router = APIRouter(prefix="/v1")
health = APIRouter(tags=["health"])

Served = Annotated[ClusterService, Depends(service_of)]


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
    system = service.manner.system
    if asked.system not in (None, system):
        raise HTTPException(422, f"this cluster searches with {system} only")
    wanted = AskedOfCluster(asked.question(), asked.k, asked.min_probability, explained=asked.explain)
    answer = await service.search(wanted)
    found, manner = answer.found, answer.manner
    return JsonAnswer(
        {
            "matches": [values.suggestion(match) for match in found.matches if match.question is not None],
            "system": manner.system,
            "threshold": manner.threshold,
            "calibrated": manner.calibrated,
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
            "system": service.manner.system,
            "generation": generation.number,
            "shards": generation.shards,
            "questions": questions,
        }
    )


@health.get("/healthz", response_model=Health)
async def healthz() -> JsonAnswer:
    """Whether the process lives."""
    return JsonAnswer({"status": "alive"})


@health.get("/readyz", response_model=Health, responses=documented())
async def readyz(service: Served) -> JsonAnswer:
    """Whether searches can be answered."""
    return JsonAnswer({"status": "ready", "generation": service.generation.number})
