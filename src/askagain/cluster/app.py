"""The HTTP application of a cluster."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp

from askagain.cluster import routes
from askagain.cluster.connecting import connected
from askagain.cluster.layout import ClusterFolder
from askagain.cluster.service import ClusterService
from askagain.cluster.settings import ClusterSettings
from askagain.service import logs
from askagain.service.app import blank, end_with_parent, guarded
from askagain.service.settings import ServiceSettings

logger = logging.getLogger(__name__)


def app_from_environment() -> ASGIApp:
    """For the processes of `askagain cluster serve`, which find their settings in the environment."""
    logs.set_up()
    settings = ServiceSettings.from_environment(os.environ)
    app = blank(settings, _lifespan)
    app.state.cluster = ClusterSettings.from_environment(os.environ)
    app.include_router(routes.router)
    app.include_router(routes.health)
    return guarded(app)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    cluster: ClusterSettings = app.state.cluster
    loop = asyncio.get_running_loop()
    with connected(cluster.address):
        from askagain.cluster.far import reached

        folder = ClusterFolder.open(Path(cluster.folder))
        reach = partial(reached, folder, seconds=cluster.shard_seconds)
        service = await loop.run_in_executor(None, ClusterService, app.state.settings, folder, reach)
        app.state.service = service
        watching = asyncio.create_task(end_with_parent())
        logger.info("ready: generation %s", service.generation.number)
        try:
            yield
        finally:
            app.state.service = None
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await loop.run_in_executor(None, service.close)
