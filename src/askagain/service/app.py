"""The application: routes, layers, and what happens at its start and end."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Lifespan

from askagain.service import logs, pages
from askagain.service.auth import valid_key
from askagain.service.gate import Gate, Limits
from askagain.service.keeping import ArchiveKeeper, KeeperOf
from askagain.service.problems import Problem, add_handlers
from askagain.service.queue import build_queue
from askagain.service.routes import about, duplicates, marks, questions, similar
from askagain.service.settings import ServiceSettings
from askagain.service.state import Service
from askagain.version import VERSION

_DESCRIPTION = "Has this been asked before? Finds the earlier questions that the same answer settles."
_SECONDS_BETWEEN_LOOKS = 1.0

logger = logging.getLogger(__name__)


def app_from_environment() -> ASGIApp:
    """For the processes of `askagain serve`, which find their settings in the environment."""
    logs.set_up()
    return make_app(ServiceSettings.from_environment(os.environ))


def make_app(settings: ServiceSettings) -> ASGIApp:
    """The whole application behind its gate."""
    app = blank(settings, _lifespan, ArchiveKeeper)
    # Before the routes of single questions, whose ids may contain anything.
    for routes in (similar, questions, marks, duplicates, about):
        app.include_router(routes.router)
    app.include_router(about.health)
    app.include_router(pages.router)
    app.mount("/static", pages.WebFiles(directory=pages.WEB))
    return guarded(app)


def blank(settings: ServiceSettings, lifespan: Lifespan[FastAPI], keeper_of: KeeperOf) -> FastAPI:
    """An application without routes; its service begins and ends with the life that is given."""
    app = FastAPI(
        title="askagain",
        version=VERSION,
        description=_DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
    )
    app.state.settings = settings
    app.state.service = None
    app.state.keeper_of = keeper_of
    add_handlers(app)
    return app


def guarded(app: FastAPI) -> ASGIApp:
    """An application that has all its routes, behind its gate."""
    _document(app)
    settings: ServiceSettings = app.state.settings

    def name_of(key: str) -> str | None:
        service: Service | None = app.state.service
        found = valid_key(service, key) if service else None
        return found.name if found else None

    return Gate(_open_to_origins(Limits(app, settings, name_of), settings.origins))


def _open_to_origins(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Pages of these sites may ask, and read why they are refused; preflights are not limited."""
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "If-Match", "If-None-Match"],
        expose_headers=["ETag", "Location", "X-Request-ID", "Retry-After"],
    )


def _document(app: FastAPI) -> None:
    """The errors of the OpenAPI document have one form, and whoever only reads may do without a key."""
    document = app.openapi()
    if app.state.settings.reads == "open":
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                if method == "get" or path == "/v1/similar":
                    operation["security"] = [*operation.get("security", []), {}]
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas = document["components"]["schemas"]
    schemas |= {"Problem": schema, **schema.pop("$defs", {})}
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    service = await loop.run_in_executor(None, Service.open, app.state.settings)
    app.state.service = service
    tasks = [asyncio.create_task(build_queue(service)), asyncio.create_task(end_with_parent())]
    logger.info("ready: %s questions", f"{len(service.archive):,}")
    try:
        yield
    finally:
        app.state.service = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await loop.run_in_executor(None, service.close)


async def end_with_parent() -> None:
    """A worker whose parent was killed would go on without anybody who could stop it."""
    parent = multiprocessing.parent_process()
    while parent is not None:
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        # Its end cannot be seen by a pipe, of which its other workers hold the ends, too.
        if os.getppid() != parent.pid:
            logger.warning("the parent process is gone: ending")
            os.kill(os.getpid(), signal.SIGTERM)
            return
