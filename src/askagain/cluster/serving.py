"""Serves a cluster: its shards on Ray, its HTTP service here."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from askagain.cluster.connecting import connected
from askagain.cluster.layout import ClusterFolder, Generation
from askagain.cluster.settings import ClusterSettings
from askagain.service.running import serve
from askagain.service.settings import ServiceSettings

_SECONDS_BETWEEN_LOOKS: Final = 0.5

logger = logging.getLogger(__name__)


def serve_cluster(
    cluster: ClusterSettings, service: ServiceSettings, on_listening: Callable[[str], None]
) -> None:
    """Until SIGINT or SIGTERM. Without an address Ray is started on this machine, and ends with this."""
    folder = ClusterFolder.open(Path(cluster.folder))
    with connected(cluster.address or None), _deployed(folder, cluster):
        from ray import get_runtime_context

        address = get_runtime_context().gcs_address
        os.environ |= replace(cluster, address=address).to_environment()
        keyed = replace(service, archive=str(folder.keys))
        serve(keyed, on_listening, "askagain.cluster.app:app_from_environment")


@contextmanager
def _deployed(folder: ClusterFolder, cluster: ClusterSettings) -> Iterator[None]:
    """The shards of the generation that is served are there, whichever it is."""
    from askagain.cluster.far import deploy

    current = folder.current
    deploy(folder, current, cluster)
    folder.note_deployed(current)
    ended = threading.Event()
    watching = threading.Thread(target=_watch, args=(folder, cluster, current, ended), daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join(timeout=_SECONDS_BETWEEN_LOOKS)


def _watch(
    folder: ClusterFolder, cluster: ClusterSettings, served: Generation, ended: threading.Event
) -> None:
    """Starts the shards of a generation that is chosen, and ends those of all before after a while."""
    from askagain.cluster.far import deploy, end_before, is_there

    since = time.monotonic()
    while not ended.wait(_SECONDS_BETWEEN_LOOKS):
        try:
            chosen = folder.current
            if chosen.number != served.number or not is_there(folder, chosen):
                deploy(folder, chosen, cluster)
                folder.note_deployed(chosen)
                served, since = chosen, time.monotonic()
            elif time.monotonic() > since + cluster.grace_seconds:
                end_before(folder, served)
                since = math.inf
        except Exception:
            # Whatever it is, the generation before goes on, and this is tried again.
            logger.exception("the generation that was chosen cannot be started")
