"""How many requests each client may send: a bucket of tokens that fills up again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

_REMEMBERED: Final = 10_000


class Rates:
    """One bucket for each client; those that were not seen for longest are forgotten, which fills them."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_of(self, client: str, now: float) -> float:
        """Takes a token and gives 0, or the seconds until there is one."""
        if not self._rate:
            return 0.0
        tokens, then = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - then) * self._rate)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._rate
        self._buckets[client] = (tokens if wait else tokens - 1, now)
        if len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        return wait
