"""The moderators' queue is built while nobody searches."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from askagain.service.state import Service

_SECONDS_BETWEEN_LOOKS: Final = 1.0
_SECONDS_AT_ONCE: Final = 0.05
_QUESTIONS_AT_ONCE: Final = 8

logger = logging.getLogger(__name__)


async def build_queue(service: Service) -> None:
    """Follows the archive for as long as the service lives."""
    if service.pairs is None or not service.settings.queue:
        return
    while True:
        try:
            done = bool(service.waiting) or await service.between_searches(lambda: _some(service))
        except Exception:
            # Whatever it is, the queue goes on when it is over.
            logger.exception("the moderators' queue is not built further for now")
            done = True
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS if done else 0)


def _some(service: Service) -> bool:
    """A few questions, so that a search that comes in the meantime need not wait; whether all are done."""
    assert service.pairs is not None
    end = time.monotonic() + _SECONDS_AT_ONCE
    while time.monotonic() < end:
        progress = service.pairs.catch_up(_QUESTIONS_AT_ONCE)
        if progress.done >= progress.total:
            return True
    return False
