"""What is served, how well it does, and whether it is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.exceptions import HTTPException
from starlette.responses import Response

from askagain.calibration.wishes import LEAST_LIKELY
from askagain.question import Feedback, Mark, Verdict
from askagain.reporting.periods import month_of
from askagain.service import values
from askagain.service.answers import JsonAnswer
from askagain.service.auth import Reader, Served
from askagain.service.metrics import MEDIA_TYPE, exposition
from askagain.service.problems import documented
from askagain.service.schemas import About, Health, Insight
from askagain.service.state import Service
from askagain.systems import load_system
from askagain.version import VERSION

router = APIRouter(prefix="/v1", tags=["about"])
health = APIRouter(tags=["health"])

_TOP_GROUPS = 10


@router.get("/about", response_model=About, responses=documented())
async def about(service: Served, _: Reader) -> JsonAnswer:
    """The system, its model card, and the archive in numbers."""
    return JsonAnswer(await service.read(lambda: _about(service)))


@router.get("/insight", response_model=Insight, responses=documented())
async def insight(service: Served, _: Reader) -> JsonAnswer:
    """What the archive's marks tell of the suggestions, and which questions come again and again."""
    return JsonAnswer(await service.read(lambda: _insight(service)))


@router.get(
    "/model/{name}",
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **documented(404)},
    response_class=Response,
)
async def picture(name: Annotated[str, Path(max_length=100)], service: Served) -> Response:
    """A picture of the model. Open to all: a page cannot send a key for its pictures."""
    if name not in service.shown.pictures:
        raise HTTPException(404, "the model has no picture with this name")
    return Response(service.shown.pictures[name], media_type="image/svg+xml")


@health.get("/healthz", response_model=Health)
async def healthz() -> JsonAnswer:
    """Whether the process lives."""
    return JsonAnswer({"status": "alive"})


@health.get("/readyz", response_model=Health, responses=documented())
async def readyz(service: Served) -> JsonAnswer:
    """Whether searches can be answered."""
    await service.read(lambda: service.archive.sequence)
    return JsonAnswer({"status": "ready"})


@health.get(
    "/metrics",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **documented()},
    response_class=Response,
)
async def metrics(service: Served) -> Response:
    """Figures for Prometheus."""
    return Response(await service.read(lambda: exposition(service)), media_type=MEDIA_TYPE)


def _about(service: Service) -> dict[str, Any]:
    archive = service.archive
    return {
        "name": "askagain",
        "version": VERSION,
        "system": service.engine.ranker.name,
        "description": _description(service.engine.ranker.name),
        "calibrated": service.calibrated,
        "threshold": service.threshold,
        "card": service.shown.card,
        "pictures": [f"/v1/model/{name}" for name in service.shown.pictures],
        "questions": len(archive),
        "marks": _counts(archive.marks()),
        "sequence": archive.sequence.seq,
        "systems": [{"name": name, "description": _description(name)} for name in service.systems()],
        "reads": service.settings.reads,
    }


def _description(system: str) -> str:
    return load_system(system).description


def _insight(service: Service) -> dict[str, Any]:
    archive = service.archive
    marks, feedback = list(archive.marks()), list(archive.feedback())
    # Marks that were imported say nothing about suggestions: nobody suggested them.
    judged: list[Mark | Feedback] = [*(mark for mark in marks if mark.who), *feedback]
    counts = _counts(judged)
    said = counts["duplicate"] + counts["not_duplicate"]
    progress = service.pairs.progress() if service.pairs else None
    groups = service.grouping.groups()
    return {
        "questions": len(archive),
        "marks": _counts(marks),
        "feedback": _counts(feedback),
        "precision": {
            "confirmed": counts["duplicate"],
            "rejected": counts["not_duplicate"],
            "share": counts["duplicate"] / said if said else None,
        },
        "months": _months(judged),
        "queue": {
            "pairs": service.pairs.count(LEAST_LIKELY) if service.pairs else 0,
            "done": progress.done if progress else 0,
            "total": progress.total if progress else 0,
        },
        "groups": [values.group(group) for group in groups.whole(groups.all[:_TOP_GROUPS])],
    }


def _counts(verdicts: Iterable[Mark | Feedback]) -> dict[str, int]:
    counts = Counter(each.verdict for each in verdicts)
    return {"duplicate": counts[Verdict.DUPLICATE], "not_duplicate": counts[Verdict.NOT_DUPLICATE]}


def _months(judged: Iterable[Mark | Feedback]) -> list[dict[str, Any]]:
    by_month: dict[str, Counter[Verdict]] = {}
    for each in judged:
        by_month.setdefault(month_of(each.when), Counter())[each.verdict] += 1
    return [
        {"month": month, "confirmed": said[Verdict.DUPLICATE], "rejected": said[Verdict.NOT_DUPLICATE]}
        for month, said in sorted(by_month.items())
    ]
