"""Which shard a question belongs to: decided by its id and the number of shards alone."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

MOST_SHARDS: Final = 1024

_MULTIPLIER: Final = 2862933555777941757
_BITS: Final = (1 << 64) - 1


def shard_of(id: str, shards: int) -> int:
    """Jump consistent hash (Lamping and Veach 2014): with one more shard, only its own questions move."""
    key = int.from_bytes(blake2b(id.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    shard, jump = -1, 0
    while jump < shards:
        shard = jump
        key = (key * _MULTIPLIER + 1) & _BITS
        jump = int((shard + 1) * (1 << 31) / ((key >> 33) + 1))
    return shard
