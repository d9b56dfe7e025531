"""A stream of JSON Lines: taken in batches, each durable before the next."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Final

import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from askagain.service.gate import MOST_BYTES
from askagain.service.schemas import BulkResult, Id, NewQuestion, Rejected
from askagain.service.state import Service

MEDIA_TYPE: Final = "application/x-ndjson"

_BATCH: Final = 500
_MOST_REJECTED: Final = 1000


class Identified(NewQuestion):
    """A question whose id the forum has given."""

    id: Id


class Deletion(BaseModel):
    """Takes a question away."""

    model_config = ConfigDict(strict=True, extra="forbid")

    delete: Id


_LINE: Final[TypeAdapter[Identified | Deletion]] = TypeAdapter(Annotated[Identified | Deletion, "a line"])


@dataclass
class _Batch:
    """Lines that wait to be written together."""

    lines: list[Identified | Deletion] = field(default_factory=list)
    bytes: int = 0


async def take(stream: AsyncIterator[bytes], service: Service) -> BulkResult:
    """Writes all good lines in their order."""
    result = BulkResult()
    batch = _Batch()
    number = 0
    async for line in _lines(stream):
        number += 1
        parsed = _parsed(line, number, result)
        if parsed is not None:
            batch.lines.append(parsed)
            batch.bytes += len(line)
        if len(batch.lines) >= _BATCH or batch.bytes >= MOST_BYTES:
            await _write(batch, service, result)
            batch = _Batch()
    await _write(batch, service, result)
    result.sequence = service.archive.sequence.seq
    return result


async def _lines(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines without their ends; of one that is too long the first bytes, which no parser takes."""
    rest = b""
    async for piece in stream:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line
        rest = rest[: MOST_BYTES + 1]
    yield rest


def _parsed(line: bytes, number: int, result: BulkResult) -> Identified | Deletion | None:
    if not line.strip():
        return None
    if len(line) > MOST_BYTES:
        _reject(result, number, f"the line has more than {MOST_BYTES:,} bytes")
        return None
    try:
        value = orjson.loads(line)
        if isinstance(value, dict):
            return _LINE.validate_python(value)
        _reject(result, number, "a line must be an object: a question, or the deletion of one")
    except orjson.JSONDecodeError as error:
        _reject(result, number, f"not JSON: {error}")
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"][1:]))[:200]
        _reject(result, number, f"{path}: {first['msg']}" if path else str(first["msg"]))
    return None


def _reject(result: BulkResult, number: int, detail: str) -> None:
    if len(result.rejected) < _MOST_REJECTED:
        result.rejected.append(Rejected(line=number, detail=detail.encode("utf-8", "replace").decode()))


async def _write(batch: _Batch, service: Service, result: BulkResult) -> None:
    if batch.lines:
        await service.write_at_length(lambda: _written(batch.lines, service, result))


def _written(lines: list[Identified | Deletion], service: Service, result: BulkResult) -> None:
    archive = service.archive
    with archive.transaction():
        for line in lines:
            if isinstance(line, Deletion):
                result.deleted += archive.delete(line.delete)
                continue
            counts = archive.put_many([line.question(line.id)])
            result.added += counts.added
            result.changed += counts.changed
            result.unchanged += counts.unchanged
