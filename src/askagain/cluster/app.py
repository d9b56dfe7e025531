"""The HTTP application of a cluster."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.types import ASGIApp

from askagain.cluster import routes
from askagain.cluster.connecting import connected
from askagain.cluster.keeping import ShardsKeeper
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.service import ClusterService
from askagain.cluster.settings import ClusterSettings
from askagain.errors import UnreachableError
from askagain.service import logs
from askagain.service.app import blank, end_with_parent, guarded
from askagain.service.routes import questions
from askagain.service.settings import ServiceSettings

_SECONDS_BETWEEN_TRIES: Final = 0.5

logger = logging.getLogger(__name__)


def app_from_environment() -> ASGIApp:
    """For the processes of `askagain cluster serve`, which find their settings in the environment."""
    logs.set_up()
    settings = ServiceSettings.from_environment(os.environ)
    app = blank(settings, _lifespan, ShardsKeeper)
    app.state.cluster = ClusterSettings.from_environment(os.environ)
    for router in (routes.router, questions.router, routes.health):
        app.include_router(router)
    return guarded(app)


async def _when_there(start: Callable[[], ClusterService]) -> ClusterService:
    """As soon as shards can be reached: a process that failed at its start would end all others."""
    while True:
        try:
            return await asyncio.get_running_loop().run_in_executor(None, start)
        except UnreachableError as error:
            logger.warning("waiting: %s", error)
            await asyncio.sleep(_SECONDS_BETWEEN_TRIES)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    cluster: ClusterSettings = app.state.cluster
    loop = asyncio.get_running_loop()
    with connected(cluster.address):
        from askagain.cluster.far import reached

        folder = ClusterFolder.open(Path(cluster.folder))
        reach = partial(reached, folder, seconds=cluster.shard_seconds)
        watching = asyncio.create_task(end_with_parent())
        service = await _when_there(partial(ClusterService, app.state.settings, folder, reach))
        app.state.service = service
        logger.info("ready: generation %s", service.generation.number)
        try:
            yield
        finally:
            app.state.service = None
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await loop.run_in_executor(None, service.close)
